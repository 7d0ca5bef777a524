/** Words as pictures of cells, for `createJacquard`: capital letters, digits and marks of 5 × 7 cells. */

const WIDTH = 5;
const HEIGHT = 7;

/** Seven rows from the top, one character each: five bits in base 32, the leftmost cell highest. */
const GLYPHS: Readonly<Record<string, string>> = {
  A: 'ehhvhhh',
  B: 'uhhuhhu',
  C: 'ehggghe',
  D: 'uhhhhhu',
  E: 'vgguggv',
  F: 'vgguggg',
  G: 'ehgnhhf',
  H: 'hhhvhhh',
  I: 'e44444e',
  J: '72222ic',
  K: 'hikokih',
  L: 'ggggggv',
  M: 'hrllhhh',
  N: 'hhpljhh',
  O: 'ehhhhhe',
  P: 'uhhuggg',
  Q: 'ehhhlid',
  R: 'uhhukih',
  S: 'fgge11u',
  T: 'v444444',
  U: 'hhhhhhe',
  V: 'hhhhha4',
  W: 'hhhllla',
  X: 'hha4ahh',
  Y: 'hhha444',
  Z: 'v1248gv',
  '0': 'ehjlphe',
  '1': '4c4444e',
  '2': 'eh1248v',
  '3': 'v2421he',
  '4': '26aiv22',
  '5': 'vgu11he',
  '6': '68guhhe',
  '7': 'v124888',
  '8': 'ehhehhe',
  '9': 'ehhf12c',
  ' ': '0000000',
  '.': '00000cc',
  ',': '0000c48',
  '-': '000v000',
  '+': '044v440',
  '!': '4444404',
  '?': 'eh12404',
};

export interface LettersOptions {
  /** Carriers of the letters and of the ground, 0 to 9; 1 and 0 if not given. */
  readonly carrier?: number;
  readonly ground?: number;
  /** Cells of ground round the text; 1 if not given. */
  readonly margin?: number;
}

/** A line of text as a picture: one text a course, the first course last. Small letters become capitals. */
export function createLetters(text: string, { carrier = 1, ground = 0, margin = 1 }: LettersOptions = {}): string[] {
  for (const [name, value] of Object.entries({ carrier, ground }))
    if (!(Number.isInteger(value) && value >= 0 && value <= 9))
      throw new RangeError(`createLetters: ${name} is ${value}; give a whole number from 0 to 9.`);
  if (!(Number.isSafeInteger(margin) && margin >= 0))
    throw new RangeError(`createLetters: margin is ${margin}; give a whole number, 0 or more.`);
  const letters = [...text.toUpperCase()];
  if (letters.length === 0) throw new RangeError('createLetters: the text is empty; give at least one letter.');
  const unknown = letters.find((letter) => !Object.hasOwn(GLYPHS, letter));
  if (unknown !== undefined)
    throw new RangeError(
      `createLetters: there is no letter '${unknown}'; use ${Object.keys(GLYPHS).join('').trim()} and the space.`,
    );
  const side = `${ground}`.repeat(margin);
  const empty = `${ground}`.repeat(2 * margin + letters.length * (WIDTH + 1) - 1);
  const rows = Array.from({ length: HEIGHT }, (_, row) => {
    const cells = letters.map((letter) => {
      const bits = Number.parseInt(GLYPHS[letter][row], 32).toString(2).padStart(WIDTH, '0');
      return bits.replace(/[01]/g, (bit) => `${bit === '1' ? carrier : ground}`);
    });
    return side + cells.join(`${ground}`) + side;
  });
  const border = Array<string>(margin).fill(empty);
  return [...border, ...rows, ...border];
}
