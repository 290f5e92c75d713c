// The types are right, and no promise is dropped: both with one program, which takes the compiler longest to build.
// Biome's noFloatingPromises sees our own types but not those of packages: it misses `loader.load(key);` and
// `expect(answer).resolves.toBe(1);`. The compiler knows them all.
import { relative } from 'node:path';
import ts from 'typescript';

const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
const host = ts.createCompilerHost(options);
const program = ts.createProgram(fileNames, options, host);
const checker = program.getTypeChecker();
const faults = ts.getPreEmitDiagnostics(program);
const dropped = [];

// `promise.catch(f);` and `promise.then(f, g);` have handled the failure.
function isHandled(expression) {
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return false;
  const method = expression.expression.name.text;
  return (
    (method === 'catch' && expression.arguments.length > 0) ||
    (method === 'then' && expression.arguments.length > 1)
  );
}

// `kept = promise;` goes on living under a name.
function isKept(expression) {
  return (
    ts.isBinaryExpression(expression) &&
    expression.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    expression.operatorToken.kind <= ts.SyntaxKind.LastAssignment
  );
}

function isPromise(expression) {
  const type = checker.getTypeAtLocation(expression);
  const parts = type.isUnion() ? type.types : [type];
  return parts.some(
    (part) => checker.getPropertyOfType(part, 'then') && checker.getPropertyOfType(part, 'catch'),
  );
}

function visit(node) {
  const expression = ts.isExpressionStatement(node) ? node.expression : undefined;
  if (expression && !isHandled(expression) && !isKept(expression) && isPromise(expression)) {
    const file = node.getSourceFile();
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    dropped.push(`${relative('.', file.fileName)}:${line + 1} ${node.getText().split('\n')[0]}`);
  }
  ts.forEachChild(node, visit);
}

for (const file of program.getSourceFiles()) if (fileNames.includes(file.fileName)) visit(file);

if (faults.length > 0) console.error(ts.formatDiagnosticsWithColorAndContext(faults, host));
if (dropped.length > 0)
  console.error(
    `A promise is neither awaited, returned, caught nor marked with void:\n${dropped.join('\n')}`,
  );
if (faults.length + dropped.length > 0) process.exit(1);
console.log(`Types: no fault, and no promise dropped, in ${fileNames.length} files.`);
