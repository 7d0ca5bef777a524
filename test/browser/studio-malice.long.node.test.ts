/** Scenes and links of someone who means ill: at worst an error is shown, nothing of them becomes HTML, the page lives on. */
import { deflateRawSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createEngineScene } from './engine-scene.ts';
import { settle } from './scene-acts.ts';
import { openPanel, openScene, until, useStudio } from './studio-site.ts';

const SMALL = { viewport: { width: 900, height: 560 } };
const HTML = '<img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script><b>bold</b>';
const PANELS = ['Change', 'Measure', 'Scene', 'Compare', 'Export', 'View'];

const studio = useStudio();

/** The part of a link that holds a text, whatever it is. */
const pack = (text: string | Buffer): string => `#/share/s1.${deflateRawSync(text).toString('base64url')}`;

/** Drops a file that the page makes itself, by the expression of its text. */
const drop = (page: Page, make: () => string): Promise<void> =>
  page.evaluate(
    `(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([(${make})()], 'scene.json'));
      document.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    })()`,
  );

/** What of the markup became elements, anywhere in the page, and whether any of it ran. */
const findInserted = (page: Page): Promise<{ ran: boolean; found: string[] }> =>
  page.evaluate(() => {
    const found: string[] = [];
    const visit = (root: Document | ShadowRoot) => {
      for (const element of root.querySelectorAll('*')) {
        if (
          element.matches('[onerror], img[src="x"], body script, b') &&
          /bold|hit|onerror|=x/.test(element.outerHTML.slice(0, 40))
        )
          found.push(element.outerHTML.slice(0, 80));
        if (element.shadowRoot) visit(element.shadowRoot);
      }
    };
    visit(document);
    return { ran: 'hit' in globalThis, found };
  });

/** All text that the page shows. */
const readText = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const read = (node: Node): string => {
      if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
      if (node instanceof HTMLElement && node.matches('style, script')) return '';
      const root = node instanceof Element && node.shadowRoot ? read(node.shadowRoot) : '';
      return root + [...node.childNodes].map(read).join('');
    };
    return read(document.body);
  });

/** Waits for an error, and that the page can still be used. */
async function expectFault(page: Page): Promise<string> {
  const alert = page.getByRole('alert').first();
  await alert.waitFor();
  const text = (await alert.textContent()) ?? '';
  expect(await findInserted(page)).toEqual({ ran: false, found: [] });
  await page.goto(`${studio.address}#/`);
  await page.getByRole('searchbox').waitFor();
  return text;
}

describe('markup in a scene', () => {
  test('Markup in title, description, source and column names is shown as text in every panel', async () => {
    const scene = {
      ...createEngineScene(true),
      title: `title ${HTML}`,
      description: `about ${HTML}`,
      paper: `paper ${HTML}`,
      figure: `figure ${HTML}`,
      $schema: HTML,
    };
    const { page, complaints } = await studio.visit(SMALL);
    await openScene(page, studio.address + pack(JSON.stringify(scene)));
    for (const panel of PANELS) {
      await openPanel(page, panel);
      expect(await findInserted(page), panel).toEqual({ ran: false, found: [] });
    }
    const text = await readText(page);
    for (const word of ['title', 'about', 'paper', 'figure']) expect(text).toContain(`${word} ${HTML}`);
    expect(complaints).toEqual([]);
  });

  test.each([
    ['the name', { name: HTML }],
    ['the id of an object', { objects: [{ ...createEngineScene(true).objects[0], id: HTML }] }],
    ['the id of a probe', { probes: [{ id: HTML, type: 'energy' }] }],
    ['a material', { objects: [{ ...createEngineScene(true).objects[0], material: HTML }] }],
    ['an unknown key', { [HTML]: HTML }],
    ['the background', { view: { background: `red" onload="${HTML}` } }],
    ['the name of a size', { sizes: { [HTML]: {} } }],
    ['the path of a size', { sizes: { paper: { [HTML]: 1 } } }],
    ['an expectation', { expect: [{ probe: HTML, min: 0 }] }],
    [
      'the letters of a knit',
      {
        objects: [
          {
            type: 'fabric',
            id: 'a',
            layers: [{ pattern: { type: 'jacquard', letters: HTML }, material: 'cotton-yarn' }],
          },
        ],
      },
    ],
    [
      'the file and the clip of a body',
      { bodies: [{ id: 'b', shape: { type: 'mesh', file: HTML, animation: { clip: HTML } } }] },
    ],
  ])('Markup in %s is shown as text or quoted in an error', async (_, part) => {
    const { page } = await studio.visit(SMALL);
    await page.goto(studio.address + pack(JSON.stringify({ ...createEngineScene(true), ...part })));
    await until(page, () => findScene() && (findScene().run.message !== '' || findScene().player.frame !== undefined));
    await page.evaluate(settle);
    expect(await findInserted(page)).toEqual({ ran: false, found: [] });
    expect(await readText(page)).toContain('<img src=x');
  });
});

describe('a scene that is no good', () => {
  test.each([
    ['numbers beyond all bounds', { time: { step: 1e308, duration: 1e308 } }],
    ['numbers that are none', '{"heddle":1,"name":"a","objects":[],"time":{"step":1e999,"duration":1}}'],
    ['more nodes than there is memory', { objects: [{ ...createEngineScene(true).objects[0], nodes: 1e12 }] }],
    ['more steps than there is time', { time: { step: 1e-300, duration: 1 } }],
    [
      'points at the end of the world',
      {
        objects: [
          {
            ...createEngineScene(true).objects[0],
            points: [
              [0, 0, 0],
              [1e308, -1e308, 1e308],
            ],
          },
        ],
      },
    ],
    [
      'a prototype',
      `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},${JSON.stringify(createEngineScene(true)).slice(1)}`,
    ],
    ['nesting without end', `{"heddle":1,"objects":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('A scene with %s gives an error, and the page can still be used', async (_, part) => {
    const { page } = await studio.visit(SMALL);
    const text = typeof part === 'string' ? part : JSON.stringify({ ...createEngineScene(true), ...part });
    await page.goto(studio.address + pack(text));
    const fault = await expectFault(page);
    expect(fault.length).toBeGreaterThan(20);
    expect(await page.evaluate(() => 'polluted' in {})).toBe(false);
  });

  test.each([
    ['50 MB of one title', /title/, () => `{"heddle":1,"title":"${'a'.repeat(50_000_000)}"}`],
    [
      '50 MB of empty objects',
      /has more than 4000000 values; put large meshes into files of their own\./,
      () => `{"heddle":1,"objects":[${'{},'.repeat(16_000_000)}{}]}`,
    ],
    ['70 MB', /at most 67108864 are allowed/, () => `{"heddle":1,"title":"${'a'.repeat(70_000_000)}"}`],
    ['bytes that are no text', /not valid JSON/, () => '\u0000\uffff\u0001'],
  ])('A file with %s gives an error, and the page can still be used', async (_, sentence, make) => {
    const { page } = await studio.visit(SMALL);
    await page.goto(studio.address);
    await page.getByRole('searchbox').waitFor();
    await drop(page, make);
    const fault = await expectFault(page);
    expect(fault.trim()).toMatch(sentence);
    // said in a few sentences, however much was wrong
    expect(fault.length).toBeLessThan(20_000);
  });
});

test.each([
  ['cut short', '#/share/s1.q1Y'],
  ['of another version', '#/share/s9.abcd'],
  ['with markup', `#/share/s1.${encodeURIComponent(HTML)}`],
  ['to an unknown scene with markup', `#/scene/${encodeURIComponent(HTML)}`],
  ['of JSON that is no scene', pack('[1, 2]')],
  ['of bytes', pack(Buffer.from([255, 254, 0, 1, 2]))],
  ['that inflates to 200 MB', pack(Buffer.alloc(200_000_000, 32))],
  ['of 1 MB', `#/share/s1.${'A'.repeat(1_000_000)}`],
])('A link %s says what is wrong', async (_, hash) => {
  const { page } = await studio.visit(SMALL);
  await page.goto(studio.address + hash);
  expect((await expectFault(page)).length).toBeGreaterThan(15);
});
