/** The report of laws as a page of Markdown: docs/internals/validation.md is what `heddle validate --markdown` prints. */

import { LAW_MODELS, type LawModel } from './law.ts';
import { LAWS } from './laws.ts';
import { formatError, formatOrder, worstOf } from './report.ts';
import type { LawResult } from './run.ts';

/** Laws of the published tests for slender structures, whose plots the page shows. */
const PUBLISHED: readonly (readonly [law: string, caption: string])[] = [
  [
    'rod-cantilever',
    'Height over width of a heavy cantilever against w L³/EI: predicted curve and measured points lie on one another over four decades',
  ],
  [
    'rod-bend-twist',
    'Natural curvature at which a hanging rod leaves its plane, against w L³/EI: points that stay below the predicted curve, points that leave above',
  ],
  ['rod-lateral-buckling', 'Weight at which a ribbon on edge turns sideways, against GJ/EI'],
  ['sheet-lateral-buckling', 'Weight at which a strip of a sheet on edge turns sideways, against its width'],
  ['rod-stick-slip', 'Compression at which the tip of a pressed strip slips, against friction'],
];

const INTRODUCTION = `# Validation

\`heddle validate\` measures the engine against laws of mechanics. Each law is predicted without the engine, by a formula or by a small solver of its own
(\`src/validate/elastica.ts\`, \`kirchhoff.ts\`, \`ribbon.ts\`), and measured on set-ups like those of a user, at several resolutions where there is an error of discretisation.

    heddle validate                               all laws; exit code 1 if one does not hold
    heddle validate rod --report out/validation   those of rods, with a page of tables and plots
    heddle validate rod-cantilever --json         one law, as JSON
    heddle validate --faults                      whether all laws can fail: each stiffness that a law depends on wrong by 1.1
    heddle validate rod --scale-stiffness EI=1.1  the same by hand
    heddle validate --list                        which laws there are

A value passes with an error of at most 1 % on the finest resolution, or less where the law says so (\`rod-adaptive\` alone is a bound, of one half); a threshold passes where nothing has given way 2 % below it and
everything 2 % above (sand: 7 %, 2°). Orders of convergence are those of the root mean square of all errors of a law, by its two finest resolutions; some laws ask for one.
Errors of what is kept (momentum, material, symmetry) are relative to the whole.

As a library: \`import { LAWS, runLaw } from 'heddle/validate'\`. A law is one entry of \`LAWS\`; its set-up and its prediction stand in one file of \`src/validate\`, and the tests in
\`test/laws\` that need the same set-up call it.

This page is what \`heddle validate --markdown\` prints.`;

const LIMITS = `## What is not in it

- A clamp needs a straight row of vertices: sheets hang from one as the tables say on grids; on equilateral, jittered and refined meshes half a triangle more or less hangs free. Bend–twist and stick–slip are laws of rods alone: a sheet has no natural
  curvature, and its border is not a contact.
- A draped square is symmetric as long as rounding has nothing to choose: where a softer one touches the sides of the table, one of four mirror images is the first (0.1 mm).
- Stiffnesses of knits (wrapping, parallel yarns) and of the springs that hold crossings have no law here; tests of the derivatives and of knits have them.
- Contacts of rods push along the normal where a step begins: a cable drawn round a drum of radius R with the speed v feels v h/R more friction than it has. Friction of sheets takes the speed where a step
  begins: it is too large by a h/v while they become faster by a. Both are of first order in the step h.
- An elastic block of the continuum that slides with a friction of 0.7 bounces more and more; its laws go up to 0.4.`;

/** What the models promise (design of each), and which laws show it. */
export const PROMISES: readonly (readonly [promise: string, laws: readonly string[]])[] = [
  ['free fall', ['strand-fall', 'sheet-fall', 'fabric-fall', 'mpm-fall']],
  [
    'momentum and angular momentum are kept',
    ['rod-momentum', 'rod-angular-momentum', 'sheet-momentum', 'mpm-momentum', 'bodies-momentum', 'bodies-tumble'],
  ],
  [
    'energy is not gained, and is that of the work done',
    ['strand-energy', 'rod-energy', 'rod-whip', 'mpm-yield', 'fabric-passing'],
  ],
  [
    'a change of the mesh keeps momentum and material',
    ['strand-remesh-momentum', 'strand-remesh-length', 'rod-length', 'sheet-area', 'sheet-transfer'],
  ],
  ['pendulums', ['strand-pendulum', 'bodies-pendulum']],
  [
    'inertia of material that slides: a rope through a ring, a running string',
    ['strand-ring', 'strand-running-string'],
  ],
  [
    'stretch: catenary, strips, swatches, hairs, cloth, bulk',
    [
      'strand-catenary',
      'sheet-stretch',
      'fabric-stretch',
      'fabric-shear',
      'fabric-energy',
      'fabric-exchange',
      'mpm-hair',
      'mpm-cloth',
      'mpm-bulk',
      'mpm-fluid',
    ],
  ],
  [
    'waves of tension and stretch',
    ['strand-wave', 'rod-stretch-waves', 'sheet-stretch-waves', 'sheet-tension-waves', 'mpm-hair-waves'],
  ],
  [
    'bending: elastica, waves, plates on any mesh',
    [
      'rod-cantilever',
      'rod-tip-load',
      'rod-shear',
      'rod-bending-waves',
      'strand-bending-waves',
      'sheet-cantilever',
      'sheet-sag',
      'sheet-bending-waves',
      'fabric-bending',
      'mpm-cloth-bending',
      'mpm-hair-bending',
    ],
  ],
  ['twist, and a helix under load', ['rod-torque', 'rod-twist-waves', 'rod-spring', 'sheet-twist']],
  [
    'thresholds of stability: Euler, Michell, bend–twist, lateral buckling',
    ['rod-euler-buckling', 'rod-michell', 'rod-bend-twist', 'rod-lateral-buckling', 'sheet-lateral-buckling'],
  ],
  [
    'Coulomb: slopes, crossings, stick–slip, layers, heaps',
    [
      'rod-slope',
      'rod-slide',
      'rod-stick-slip',
      'sheet-slope',
      'sheet-slide',
      'fabric-load',
      'fabric-friction',
      'mpm-slope',
      'mpm-slide',
      'mpm-slip',
      'mpm-repose',
    ],
  ],
  ['capstan and sharp corners', ['strand-capstan', 'strand-corner', 'strand-stiff-edge', 'rod-capstan']],
  ['Atwood machines, with and without the inertia of the pulley', ['strand-atwood', 'strand-pulley']],
  ['sliding over an edge is smooth, as two masses', ['strand-edge', 'sheet-edge']],
  ['material points gather where the rod bends, and that pays', ['rod-equidistribution', 'rod-adaptive']],
  ['knots stay what they are', ['rod-knot']],
  ['EIL nodes change nothing', ['fabric-eil']],
  ['symmetry of what is draped', ['sheet-symmetry', 'fabric-symmetry']],
  ['transfers of affine fields are exact; a turn makes no stress', ['mpm-affine', 'mpm-turn']],
];

/** The whole page; pictures are those that \`--report\` writes, in docs/pictures. */
export function encodeValidationMarkdown(results: readonly LawResult[]): string {
  const held = results.filter(({ passes }) => passes).length;
  const models = LAW_MODELS.filter((model) => results.some((result) => result.model === model));
  const pictures = PUBLISHED.filter(([law]) => results.some(({ name }) => name === law)).map(
    ([law, caption]) => `![${caption}](../pictures/validation-${law}.svg)`,
  );
  return [
    INTRODUCTION,
    '## Published tests for slender structures',
    'The four tests of Romero, Ly, Rasheed, Charrondière, Lazarus, Neukirch and Bertails-Descoubes 2021 (“Physical validation of simulators in computer graphics”), against references solved here. Diamonds stay, crosses give way.',
    ...pictures,
    `## All laws: ${results.length}, of which ${held} hold`,
    ...models.map((model) => encodeModel(model, results)),
    '## What is promised, and which laws show it',
    `| promise | laws |\n| --- | --- |\n${PROMISES.map(([promise, laws]) => `| ${promise} | ${laws.map((law) => `\`${law}\``).join(', ')} |`).join('\n')}`,
    LIMITS,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function encodeModel(model: LawModel, results: readonly LawResult[]): string {
  const rows = results
    .filter((result) => result.model === model)
    .map((result) => {
      const { name, title, parameter, rows: own, resolutions, resolution, order, kind } = result;
      const range =
        own.length === 1 ? String(own[0].parameter) : `${own[0].parameter} … ${own[own.length - 1].parameter}`;
      const meshes = resolutions.length === 0 ? '' : `${resolutions.join(', ')} ${resolution}`;
      const wrong = LAWS.find((law) => law.name === name)?.stiffnesses.join(', ') ?? '';
      const error = kind === 'threshold' ? `within ${formatError(worstOf(own))}` : formatError(worstOf(own));
      return `| ${[`\`${name}\``, title, `${parameter}: ${range}`, meshes, error, formatOrder(order), wrong, result.passes ? 'holds' : '**fails**'].map(escapeCell).join(' | ')} |`;
    });
  return `### ${model}\n\n| law | | parameter | resolutions | largest error | order | stiffnesses | |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n${rows.join('\n')}`;
}

const escapeCell = (text: string): string => text.replaceAll('|', '\\|');
