// Converts simple formulas of TeX in titles to text with `sub` and `sup`: `$$L^p$$`, `$$\mathbb {R}^n$$`.
// Springer deposits formulas in this form. A single `$` does not begin a formula, because it often means money.

/** Commands that become one character or a few. Other commands become their names: `\log`. */
const SYMBOLS: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ lambda λ mu μ nu ν ' +
    'xi ξ pi π rho ρ sigma σ tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π ' +
    'Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω ell ℓ hbar ℏ infty ∞ partial ∂ nabla ∇ times × cdot · pm ± mp ∓ le ≤ leq ≤ ge ≥ ' +
    'geq ≥ ne ≠ neq ≠ sim ∼ simeq ≃ approx ≈ equiv ≡ propto ∝ to → rightarrow → leftarrow ← leftrightarrow ↔ Rightarrow ⇒ ' +
    'mapsto ↦ in ∈ notin ∉ subset ⊂ subseteq ⊆ supset ⊃ cup ∪ cap ∩ setminus ∖ otimes ⊗ oplus ⊕ ltimes ⋉ rtimes ⋊ circ ∘ ' +
    'ast ∗ star ⋆ dagger † prime ′ forall ∀ exists ∃ emptyset ∅ sum ∑ prod ∏ int ∫ sqrt √ langle ⟨ rangle ⟩ ldots … dots … ' +
    'cdots ⋯ odot ⊙ perp ⊥ parallel ∥ mid ∣ ll ≪ gg ≫ aleph ℵ'
  )
    .split(' ')
    .flatMap((name, at, all) => (at % 2 === 0 ? [[name, all[at + 1] ?? '']] : [])),
);
const DOUBLE_STRUCK: Readonly<Record<string, string>> = {
  C: 'ℂ',
  H: 'ℍ',
  N: 'ℕ',
  P: 'ℙ',
  Q: 'ℚ',
  R: 'ℝ',
  Z: 'ℤ',
};
/** Commands for fonts and spaces: they are dropped, and their arguments stay. */
const FONTS =
  /^(?:math(?:rm|bf|it|sf|tt|cal|scr|frak|bb|bbm|ds|ord|bin|rel|op|normal)|bm|boldsymbol|pmb|text(?:rm|bf|it|sf|up)?|mbox|hbox|operatorname|rm|bf|it|cal|displaystyle|textstyle|limits|nolimits|left|right|big|Big|bigl|bigr|widetilde|widehat|overline|bar|hat|tilde|vec|dot|ddot|underline)$/;

/** A longer formula stays as it is. */
const MAX_CHARACTERS = 300;
const FORMULA = new RegExp(String.raw`\$\$([^$]{1,${MAX_CHARACTERS}})\$\$`, 'g');
/** The text between dollar signs can be words: "from $$ to $$$". */
const LOOKS_LIKE_TEX = /[\\^_{}=<>]|^\S{1,20}$/;
const TOKEN = /\\[A-Za-z]{1,20} {0,3}|\\.|[\^_{}]|&(?:amp|lt|gt);|[^\\^_{}&]|&/gsu;

/** The text with HTML instead of formulas. @param text plain text or HTML */
export function replaceFormulas(text: string): string {
  if (!text.includes('$$')) return text;
  return text.replace(FORMULA, (whole, formula: string) =>
    LOOKS_LIKE_TEX.test(formula) ? convert(formula.trim()) : whole,
  );
}

/** Where an element ends: after the next token or group, or at the end of the group that it contains. */
interface Script {
  readonly tag: 'sub' | 'sup';
  readonly depth: number;
}

function convert(formula: string): string {
  let html = '';
  let depth = 0;
  let isDoubleStruck = false;
  const scripts: Script[] = [];
  let isScriptNext: Script['tag'] | null = null;
  const closeScripts = (): void => {
    while (scripts.at(-1)?.depth === depth) html += `</${scripts.pop()?.tag}>`;
  };
  for (const [token] of formula.matchAll(TOKEN)) {
    if (token === '^' || token === '_') {
      isScriptNext = token === '^' ? 'sup' : 'sub';
      continue;
    }
    const command = token.startsWith('\\') ? token.slice(1).trim() : null;
    if (token === '}') {
      depth = Math.max(0, depth - 1);
      closeScripts();
      continue;
    }
    if (isScriptNext !== null && token.trim() !== '' && !(command !== null && FONTS.test(command))) {
      html += `<${isScriptNext}>`;
      scripts.push({ tag: isScriptNext, depth });
      isScriptNext = null;
    }
    if (token === '{') {
      depth += 1;
      continue;
    }
    if (command !== null && FONTS.test(command)) {
      isDoubleStruck = command.startsWith('mathbb') || command === 'mathds';
      continue;
    }
    html += command === null ? characterOf(token, isDoubleStruck) : commandText(command);
    if (token.trim() !== '') isDoubleStruck = false;
    closeScripts();
  }
  depth = 0;
  while (scripts.length > 0) html += `</${scripts.pop()?.tag}>`;
  return html;
}

function characterOf(token: string, isDoubleStruck: boolean): string {
  if (token === '~') return ' ';
  if (token === "'") return '′';
  return isDoubleStruck ? (DOUBLE_STRUCK[token] ?? token) : token;
}

/** `\,` and `\ ` are spaces; `\%` and `\{` are characters. */
function commandText(command: string): string {
  if (/^[,;:! ]?$/.test(command)) return command === '!' ? '' : ' ';
  if (command === 'quad' || command === 'qquad') return ' ';
  return SYMBOLS[command] ?? command;
}
