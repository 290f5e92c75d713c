// Every package in the lock file runs on the oldest Node that package.json promises: otherwise `npm ci` on that Node
// would refuse it. Development packages count too, optional packages do not.
import { readFileSync } from 'node:fs';
import { minVersion, satisfies } from 'semver';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const oldest = minVersion(lock.packages[''].engines.node);
const packages = Object.entries(lock.packages).filter(([path, entry]) => path !== '' && !entry.optional);
const { bin, overrides = {}, dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
// Overrides have no effect if the project is installed for its command: newer versions would refuse old Nodes.
const loose = Object.entries(bin ? overrides : {}).filter(([name, version]) => {
  const entry = lock.packages[`node_modules/${name}`];
  return entry && !entry.dev && !entry.optional && dependencies[name] !== version;
});
const refused = packages.filter(([, entry]) => !satisfies(oldest, entry.engines?.node ?? '*'));

if (refused.length > 0) {
  const lines = refused.map(([path, entry]) => {
    const name = path.replace(/^.*node_modules\//, '');
    return `${name}@${entry.version}: node ${entry.engines.node}`;
  });
  console.error(`Packages that refuse Node ${oldest}:\n${lines.join('\n')}`);
  process.exit(1);
}
if (loose.length > 0) {
  console.error(`Overrides that have to be dependencies too: ${loose.map(([name]) => name).join(', ')}`);
  process.exit(1);
}
console.log(`Engines: all ${packages.length} packages accept Node ${oldest}.`);
