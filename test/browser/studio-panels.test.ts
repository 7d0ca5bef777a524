/** The studio's panels in a real browser: what they show, what they report, and that keys reach them. */
import { afterEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import winch from '../../scenes/strand-winch.json?raw';
import type { OverrideDetail } from '../../studio/src/panels/parameters.ts';
import { decodeShare, encodeShare } from '../../studio/src/panels/share.ts';
import {
  act,
  COLUMNS,
  closePanels,
  fieldAt,
  find,
  makeRows,
  openEditor,
  openParameters,
  openPlots,
  put,
  UNITS,
} from './panels.ts';
import { settle } from './scene-acts.ts';
import { until } from './until.ts';

afterEach(closePanels);

test('A number typed into a field is reported once, with the list of all changes', async () => {
  const { element, told } = await openParameters();
  const input = fieldAt(element, '/time/step')!;
  expect(input.value).toBe('0.001');
  await act(() => userEvent.fill(input, '0.002'));
  expect(told).toEqual([{ path: '/time/step', value: 0.002, overrides: [{ path: '/time/step', value: 0.002 }] }]);
  await userEvent.click(find(element, '[aria-label="Reset step to 0.001"]')!);
  await until(() => told.length > 1);
  expect(told[1]).toEqual({ path: '/time/step', value: 0.001, overrides: [] });
  expect(input.value).toBe('0.001');
});

test('Arrow keys, sliders and menus change parameters, and wrong numbers are not reported', async () => {
  const { element, told } = await openParameters();
  const stiffness = fieldAt(element, '/materials/rope/stretchStiffness')!;
  stiffness.focus();
  await userEvent.keyboard('{ArrowUp}');
  await until(() => told.length > 0);
  expect(told.at(-1)).toMatchObject({ path: '/materials/rope/stretchStiffness', value: 51000 });
  const slider = stiffness.parentElement!.querySelector<HTMLInputElement>('input[type=range]')!;
  slider.value = '1';
  slider.dispatchEvent(new InputEvent('input'));
  slider.dispatchEvent(new Event('change'));
  expect(told.at(-1)).toMatchObject({ value: 500000 });
  await userEvent.selectOptions(fieldAt(element, '/time/integrator')!, 'euler');
  await until(() => told.at(-1)!.path === '/time/integrator');
  const before = told.length;
  await act(() => userEvent.fill(fieldAt(element, '/time/duration')!, '-1'));
  expect(told.length).toBe(before);
  expect(find(element, '.fault')!.textContent).toContain('must be > 0');
  find<HTMLElement>(element, '#reset-all')!.click();
  expect(told.at(-1)!.overrides).toEqual([]);
});

test('Optional parameters are added and removed, presets replace a material, and vectors change as a whole', async () => {
  const { element, told } = await openParameters();
  const adder = [...element.shadowRoot!.querySelectorAll<HTMLElement>('.adder:not(.list)')].at(-1)!;
  const select = adder.querySelector('select')!;
  const options = [...select.options].map((option) => option.textContent);
  expect(options).toContain('gravity');
  expect(options).not.toContain('title');
  await userEvent.selectOptions(select, 'gravity');
  await userEvent.click(adder.querySelector('button')!);
  const y = await until(() => fieldAt(element, '/gravity/1'));
  await userEvent.fill(y, '-1.62');
  await until(() => told.at(-1)?.path === '/gravity' && (told.at(-1)!.value as number[])[1] === -1.62);
  expect(told.at(-1)).toMatchObject({ path: '/gravity', value: [0, -1.62, 0] });
  await userEvent.click(find(element, '[aria-label="Remove gravity"]')!);
  await until(() => told.at(-1)!.overrides.length === 0);
  expect(told.at(-1)!.value).toBeUndefined();
  expect(fieldAt(element, '/gravity/1')).toBeNull();
  // any of the list, not only the first
  await userEvent.selectOptions(select, 'solver');
  await userEvent.click(adder.querySelector('button')!);
  await until(() => told.at(-1)!.path.startsWith('/solver'));
  expect(told.at(-1)!.overrides.map(({ path }) => path.split('/')[1])).toEqual(['solver']);
  await userEvent.selectOptions(find(element, '.preset select')!, 'hemp-rope-8mm');
  await until(() => told.at(-1)?.path.startsWith('/materials/rope'));
  expect(told.at(-1)).toMatchObject({ path: '/materials/rope', value: { youngsModulus: 9.55e8 } });
  expect(told.at(-1)!.overrides).toContainEqual({ path: '/materials/rope/youngsModulus', value: 9.55e8 });
});

test('A scene that comes back with its changes can still be reset to its first values', async () => {
  const { element, told } = await openParameters();
  await userEvent.fill(fieldAt(element, '/time/step')!, '0.002');
  await until(() => told.length > 0);
  const withStep = (step: number) => {
    const scene = JSON.parse(winch);
    return { ...scene, time: { ...scene.time, step } };
  };
  element.scene = withStep(0.002);
  await element.updateComplete;
  await userEvent.click(find(element, '[aria-label="Reset step to 0.001"]')!);
  await until(() => told.at(-1)!.value === 0.001);
  element.scene = withStep(0.004);
  await until(() => fieldAt(element, '/time/step')!.value === '0.004');
  expect(find(element, '[aria-label^="Reset "]')).toBeNull();
});

const count = (detail: OverrideDetail, list: string) =>
  ((detail.value as Record<string, unknown[]>)[list] ?? []).length;
const nameOf = (button: HTMLElement | null) => button?.getAttribute('aria-label');

test('A driver is chosen by kind, added, duplicated, removed and restored by keys alone', async () => {
  const { element, told } = await openParameters();
  const select = find<HTMLSelectElement>(element, '[data-list="/drivers"] select')!;
  expect(select.getAttribute('aria-label')).toBe('Kind of driver to add');
  await userEvent.selectOptions(select, 'force');
  const help = find(element, '[data-list="/drivers"] .help')!;
  await until(
    () =>
      help.textContent ===
      'Applies a force to a point. In a region each vertex gets a share in proportion to its material.',
  );
  select.focus();
  await userEvent.keyboard('{Tab}{Enter}');
  await until(() => told.length > 0);
  expect(told[0].path).toBe('');
  expect(count(told[0], 'drivers')).toBe(2);
  await until(() => fieldAt(element, '/drivers/1/value/0'));
  expect(element.shadowRoot!.activeElement?.textContent).toContain('force');
  const tools = find(element, '[data-entry="/drivers/1"] > .tools')!;
  expect([...tools.children].map((button) => nameOf(button as HTMLElement))).toEqual(
    ['Duplicate force · rope · 0.5', 'Remove force · rope · 0.5'].map((name) => name.replace(' · 0.5', ' 0.5')),
  );
  (tools.children[0] as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await until(() => count(told.at(-1)!, 'drivers') === 3);
  const remove = find(element, '[data-entry="/drivers/0"] > .tools button:last-child')!;
  remove.focus();
  await userEvent.keyboard(' ');
  await until(() => count(told.at(-1)!, 'drivers') === 2);
  expect(find(element, '.bar [role=status]')!.textContent).toContain('was removed');
  await until(() => element.shadowRoot!.activeElement?.id === 'undo');
  await userEvent.keyboard('{Enter}');
  await until(() => count(told.at(-1)!, 'drivers') === 3);
  fieldAt(element, '/time/step')!.focus();
  await userEvent.keyboard('{Control>}z{/Control}');
  await until(() => count(told.at(-1)!, 'drivers') === 2);
  await userEvent.keyboard('{Control>}z{/Control}');
  await until(() => count(told.at(-1)!, 'drivers') === 1);
  expect(told.at(-1)!.value).toEqual(JSON.parse(winch));
  await userEvent.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
  await until(() => count(told.at(-1)!, 'drivers') === 2);
});

test('Points are removed down to two, a material in use stays, and a body is removed with what names it', async () => {
  const { element, told } = await openParameters();
  const open = async (title: string) => {
    const summary = [...element.shadowRoot!.querySelectorAll<HTMLElement>('details:not([open]) > summary')];
    summary.find((entry) => entry.textContent.trim().startsWith(title))!.click();
    await settle();
  };
  await open('points');
  const points = () => (told.at(-1)!.value as { objects: { points: number[][] }[] }).objects[0].points;
  (await until(() => find(element, '[aria-label="Duplicate points 1"]'))).click();
  await until(() => told.length === 1);
  expect(points().length).toBe(4);
  await element.updateComplete;
  find(element, '[aria-label="Remove points 2"]')!.click();
  await until(() => told.length === 2);
  await element.updateComplete;
  find(element, '[aria-label="Remove points 2"]')!.click();
  await until(() => told.length === 3);
  expect(points().length).toBe(2);
  const last = await until(() => find(element, '[aria-label^="Remove points 2: At least 2"]'));
  await act(() => last.click());
  expect(told.length).toBe(3);
  expect(find(element, '[aria-label="Remove rope: rope is made of rope."]')!.getAttribute('aria-disabled')).toBe(
    'true',
  );
  find(element, '[aria-label="Remove load"]')!.click();
  await until(() => told.length === 4);
  expect(find(element, '.bar [role=status]')!.textContent).toBe(
    'load was removed, and with it 1 driver, 1 probe and 2 expectations.',
  );
});

test('An optional value is left out in favour of its default, and a motion brings what it needs', async () => {
  const { element, told } = await openParameters();
  const button = find(element, '[aria-label="Set integrator to its default, euler"]')!;
  await userEvent.click(button);
  await until(() => told.at(-1)?.path === '/time/integrator');
  expect(told.at(-1)!.value).toBeUndefined();
  expect(fieldAt(element, '/time/integrator')).toBeNull();
  find(element, '[data-entry="/bodies/0"] summary')!.click();
  const adder = await until(() => find(element, '[data-entry="/bodies/0"] .adder:not(.list) select'));
  await userEvent.selectOptions(adder, 'motion');
  adder.parentElement!.querySelector('button')!.click();
  const motion = await until(() => fieldAt(element, '/bodies/0/motion'));
  await userEvent.selectOptions(motion, 'scripted');
  await until(() => told.some(({ value }) => JSON.stringify(value ?? '').includes('"keyframes":[{"time":0')));
});

test('Nothing of a scene becomes HTML in the parameter panel', async () => {
  const scene = JSON.parse(winch);
  scene.bodies[0].id = '<img src=x onerror="window.wasRun = true">';
  const { element } = await openParameters(JSON.stringify(scene));
  expect(element.shadowRoot!.querySelector('img')).toBeNull();
  expect(element.shadowRoot!.textContent).toContain('<img src=x');
});

test('The editor suggests keys and words of the schema at the cursor, and keys accept them', async () => {
  const { element, area, told } = await openEditor();
  put(area, '"integrator": ');
  area.setSelectionRange(area.selectionStart, area.selectionStart + '"sdirk2"'.length);
  await userEvent.keyboard('"');
  const list = await until(() => {
    const options = [...element.shadowRoot!.querySelectorAll('[role=option] span:first-child')];
    return options.length === 2 && options;
  });
  expect(list.map((option) => option.textContent)).toEqual(['euler', 'sdirk2']);
  expect(area.getAttribute('aria-activedescendant')).toBe('suggestion-0');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(area.value).toBe(winch);
  expect(told.at(-1)).toBe(winch);
  put(area, '"time": {');
  await userEvent.keyboard('{Control>} {/Control}');
  await until(() => find(element, '[role=option]'));
  expect(find(element, '#suggestions')!.textContent).toContain('adaptive');
  await userEvent.keyboard('{Escape}');
  await until(() => find(element, '.popup')!.hidden);
});

test('The editor marks faults at their lines and links to them, and undo reverts formatting', async () => {
  const { element, area } = await openEditor(JSON.stringify(JSON.parse(winch), null, 4));
  put(area, '"nodes": 31');
  await userEvent.keyboard('{Backspace}{Backspace}-1');
  const line = area.value.slice(0, area.selectionStart).split('\n').length;
  // a fault of the text half typed may come before it
  const mark = await until(() => find(element, '.mark')?.textContent.includes('is -1') && find(element, '.mark'));
  expect(Number.parseFloat(mark.style.top)).toBe(6 + 18 * (line - 1));
  const fault = find<HTMLElement>(element, '.faults button')!;
  expect(fault.textContent).toContain('objects[0].nodes');
  fault.click();
  expect(area.value.slice(area.selectionStart, area.selectionEnd)).toContain('"nodes": -1');
  expect(area.getAttribute('aria-invalid')).toBe('true');
  const before = area.value;
  find<HTMLElement>(element, '.bar button')!.click();
  expect(area.value).not.toBe(before);
  expect(JSON.parse(area.value)).toEqual(JSON.parse(before));
  area.focus();
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(area.value).toBe(before);
});

/** Contrast of two colours as WCAG 2 defines it. */
function computeContrast(...colours: [string, string]): number {
  const [a, b] = colours.map((colour) => {
    const channels = colour
      .match(/[\d.]+/g)!
      .slice(0, 3)
      .map((value) => Number(value) / 255);
    const [r, g, b] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  });
  return Math.max(a, b) / Math.min(a, b);
}

test('The text of the editor has enough contrast in both themes', async () => {
  const { element } = await openEditor(winch.replace('"nodes": 31', '"closed": false, "nodes": 31'));
  for (const scheme of ['light', 'dark']) {
    document.documentElement.style.colorScheme = scheme;
    for (const kind of ['key', 'string', 'number', 'literal']) {
      const { color } = getComputedStyle(await until(() => find(element, `.code .${kind}`)));
      const { backgroundColor } = getComputedStyle(element);
      expect(computeContrast(color, backgroundColor), `${kind} ${scheme}`).toBeGreaterThan(4.5);
    }
  }
});

test('The editor colours every kind of word, exactly behind the letters', async () => {
  const { element, area } = await openEditor(winch.replace('"nodes": 31', '"closed": false, "nodes": -1'));
  const colours = new Set<string>();
  for (const kind of ['key', 'string', 'number', 'literal']) {
    const word = await until(() => find(element, `.code .${kind}`));
    colours.add(getComputedStyle(word).color);
  }
  expect(colours.size).toBe(4);
  const fault = await until(() => find(element, '.code .faulty'));
  expect(fault.textContent).toBe('-1');
  expect(getComputedStyle(fault).textDecorationLine).toBe('underline');
  const line = area.value.split('\n').findIndex((text) => text.includes('"nodes": -1'));
  const shown = [...element.shadowRoot!.querySelectorAll<HTMLElement>('.line')];
  expect(shown[line].textContent).toBe(area.value.split('\n')[line]);
  expect(Number.parseFloat(shown[line].style.top)).toBe(6 + 18 * line);
  const lines = shown.map((row) => row.textContent).join('\n');
  expect(area.value.startsWith(lines)).toBe(true);
});

test('The editor colours only the visible lines of 5,000, and a letter typed there at once', async () => {
  const entries = Array.from({ length: 5000 }, (_, i) => `  { "id": "a${i}", "nodes": ${i}, "closed": true }`);
  const { element, area } = await openEditor(`[\n${entries.join(',\n')}\n]`);
  const count = () => element.shadowRoot!.querySelectorAll('.code *').length;
  expect(count()).toBeLessThan(1500);
  expect(count()).toBeGreaterThan(100);
  area.scrollTop = 18 * 4000;
  await until(() => find(element, '.code')!.textContent.includes('"a4000"'));
  expect(count()).toBeLessThan(1500);
  expect(find(element, '.code')!.textContent).not.toContain('"a100"');
  put(area, '"id": "a4010');
  await userEvent.keyboard('x');
  await until(() => find(element, '.code')!.textContent.includes('"a4010x"'));
});

test('The editor indents a new line, and Tab leaves the text', async () => {
  const { area } = await openEditor('{}');
  area.focus();
  area.setSelectionRange(1, 1);
  await userEvent.keyboard('{Enter}');
  expect(area.value).toBe('{\n  \n}');
  expect(area.selectionStart).toBe(4);
  await userEvent.keyboard('{Tab}');
  expect(area.value).toBe('{\n  \n}');
});

test('Later rows feed the same charts, and a reset starts them again', async () => {
  const element = await openPlots();
  const canvas = find(element, '#chart-energies canvas');
  for (let i = 0; i < 5; i++) element.addRows(COLUMNS, makeRows(1000 + 100 * i, 100), UNITS);
  await until(() => find(element, '.time')!.textContent === 't = 1.499 s');
  expect(find(element, '#chart-energies canvas')).toBe(canvas);
  // what was there before is still there
  const countRows = () => 1 + Number(find(element, '#chart-energies')!.getAttribute('aria-valuemax'));
  expect(countRows()).toBe(1500);
  element.addRows(COLUMNS, makeRows(0, 10), UNITS);
  await until(() => find(element, '.time')!.textContent === 't = 0.009 s');
  expect(countRows()).toBe(10);
  expect(element.chartCount).toBe(3);
});

test('Pointer and arrow keys read values of plots, lines can be hidden, and an opened group gets its chart', async () => {
  const element = await openPlots();
  const chart = find<HTMLElement>(element, '#chart-energies')!;
  const over = chart.querySelector<HTMLElement>('.u-over')!;
  const box = over.getBoundingClientRect();
  const move = { clientX: box.left + box.width / 2, clientY: box.top + 20, bubbles: true };
  over.dispatchEvent(new MouseEvent('mouseenter', move));
  over.dispatchEvent(new MouseEvent('mousemove', move));
  await until(() => /^t = 0\.(49|50)/.test(find(element, '.time')!.textContent));
  chart.focus();
  await userEvent.keyboard('{Home}');
  await until(() => find(element, '.time')!.textContent === 't = 0 s');
  await userEvent.keyboard('{ArrowRight}');
  await until(() => chart.getAttribute('aria-valuetext')?.startsWith('0.001 s: kinetic '));
  const button = find<HTMLElement>(element, '.legend button')!;
  button.click();
  await until(() => find(element, '.legend button')!.getAttribute('aria-pressed') === 'false');
  const counts = [...element.shadowRoot!.querySelectorAll('summary')].find((s) => s.textContent.includes('Nodes'))!;
  counts.click();
  await until(() => find(element, '#chart-counts canvas'));
});

test('Charts and values have units, and the values at the cursor are shown for pointer and keys', async () => {
  const element = await openPlots();
  const units = [...element.shadowRoot!.querySelectorAll('summary')].map((s) =>
    s.textContent.replace(/\s+/g, ' ').trim(),
  );
  expect(units).toEqual([
    'Energies J',
    'load m',
    'pull N',
    'energy J',
    'Nodes and remeshing',
    'Time per step by stage ms',
  ]);
  expect(find(element, '#chart-probe-load')!.getAttribute('aria-label')).toBe('load in m over time');
  expect(find(element, '#chart-probe-load + *')).toBeNull();
  const chart = find<HTMLElement>(element, '#chart-probe-load')!;
  chart.focus();
  await userEvent.keyboard('{Home}{ArrowRight}{ArrowRight}');
  const readout = await until(() => find(element, '.readout'));
  const read = [...readout.children].map((part) => part.textContent);
  expect(read).toEqual(['t = 0.002 s', 'x', '0.002 m', 'y', '0.999998 m', 'z', '0 m']);
  expect(chart.getAttribute('aria-valuetext')).toBe('0.002 s: x 0.002 m, y 0.999998 m, z 0 m');
  const over = find<HTMLElement>(element, '#chart-energies .u-over')!;
  const box = over.getBoundingClientRect();
  const move = { clientX: box.left + box.width / 4, clientY: box.top + 20, bubbles: true };
  chart.blur();
  find(element, '#chart-energies')!.dispatchEvent(new PointerEvent('pointerenter', move));
  over.dispatchEvent(new MouseEvent('mouseenter', move));
  over.dispatchEvent(new MouseEvent('mousemove', move));
  await until(() => /kinetic.* J.*gravity.* J/s.test(find(element, '.readout')?.textContent ?? ''));
});

test('Keys, buttons, wheel and dragging zoom and pan all charts together', async () => {
  const element = await openPlots();
  const chart = find<HTMLElement>(element, '#chart-energies')!;
  const span = () => element.span?.map((time) => Number(time.toFixed(3)));
  chart.focus();
  await userEvent.keyboard('{Home}++');
  expect(span()).toEqual([0, 0.25]);
  await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}');
  expect(span()).toEqual([0.062, 0.312]);
  await userEvent.keyboard('{End}');
  expect(span()).toEqual([0.749, 0.999]);
  await userEvent.click(find(element, '[aria-label="Earlier"]')!);
  expect(span()).toEqual([0.687, 0.937]);
  await userEvent.click(find(element, '[aria-label="Show all times"]')!);
  expect(span()).toBeUndefined();
  const over = chart.querySelector<HTMLElement>('.u-over')!;
  const box = over.getBoundingClientRect();
  const at = (share: number) => ({
    clientX: box.left + share * box.width,
    clientY: box.top + 30,
    bubbles: true,
    cancelable: true,
  });
  const wheel = new WheelEvent('wheel', { ...at(0), deltaY: -500, ctrlKey: true });
  over.dispatchEvent(wheel);
  expect(wheel.defaultPrevented).toBe(true);
  expect(span()![0]).toBe(0);
  expect(span()![1]).toBeCloseTo(0.999 * 1.0015 ** -500, 3);
  const scroll = new WheelEvent('wheel', { ...at(0), deltaY: 100 });
  over.dispatchEvent(scroll);
  expect(scroll.defaultPrevented).toBe(false);
  over.dispatchEvent(new MouseEvent('dblclick', at(0.5)));
  expect(span()).toBeUndefined();
  await userEvent.keyboard('{Home}');
  for (const [
    type,
    share,
  ] of [['mouseenter', 0.25], ['mousemove', 0.25], ['mousedown', 0.25], ['mousemove', 0.75], ['mouseup', 0.75]] as const) // biome-ignore format: a gesture
    (type === 'mouseup' ? document : over).dispatchEvent(
      new MouseEvent(type, { ...at(share), buttons: 1, movementX: 1 }),
    );
  await until(() => element.span !== undefined);
  expect(element.span![0]).toBeCloseTo(0.25, 1);
  expect(element.span![1]).toBeCloseTo(0.75, 1);
  const [from] = element.span!;
  over.dispatchEvent(new MouseEvent('mousedown', { ...at(0.5), shiftKey: true, button: 0 }));
  window.dispatchEvent(new MouseEvent('mousemove', at(0.6)));
  window.dispatchEvent(new MouseEvent('mouseup', at(0.6)));
  expect(element.span![0]).toBeLessThan(from - 0.02);
});

test('The CSV of the probes has the columns of `heddle run` with units and every digit', async () => {
  const element = await openPlots();
  const blobs: Blob[] = [];
  const original = URL.createObjectURL;
  URL.createObjectURL = (blob: Blob) => {
    blobs.push(blob);
    return '#';
  };
  for (const button of element.shadowRoot!.querySelectorAll<HTMLElement>('.files button')) button.click();
  URL.createObjectURL = original;
  const [probes, all] = await Promise.all(blobs.map((blob) => blob.text()));
  const lines = probes.split('\r\n');
  expect(lines[0]).toBe('time [s],load.x [m],load.y [m],load.z [m],pull [N],energy.total [J]');
  expect(lines.length).toBe(1002);
  const rows = makeRows(0, 1000);
  expect(Number(lines[778].split(',')[1])).toBe(rows[777 * COLUMNS.length + 16]);
  expect(all.split('\r\n')[0]).toBe(
    COLUMNS.map((name, i) => (UNITS[i] === '1' ? name : `${name} [${UNITS[i]}]`)).join(','),
  );
});

test('A share link made in the browser is read back in the browser', async () => {
  expect(await decodeShare(`#${await encodeShare(winch)}`)).toEqual({ text: winch, files: {} });
});
