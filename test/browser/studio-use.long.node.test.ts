/** The studio in the hands of a person: themes, tour, help, keys, a narrow screen and fingers; real input in a real page. */
import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openPanel, openScene, pause, readPlayer, until, untilIn, useStudio } from './studio-site.ts';

/** Small, so that drawing without a graphics card leaves time for the page. */
const SMALL = { viewport: { width: 900, height: 560 } };
const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };

const studio = useStudio();

describe('themes', () => {
  const readColours = (page: Page) =>
    page.evaluate(() => {
      const app = document.querySelector('heddle-app')!.shadowRoot!;
      const brightness = (text: string) => {
        const [red, green, blue] = text.match(/[\d.]+/g)!.map(Number);
        return (red + green + blue) / 3;
      };
      const of = (selector: string, property: 'color' | 'backgroundColor') =>
        brightness(getComputedStyle(app.querySelector(selector)!)[property]);
      return { paper: of('header', 'backgroundColor'), ink: of('.mark', 'color') };
    });
  const choose = (page: Page, from: string) => page.getByRole('button', { name: `Theme: ${from}` }).click();

  test.each(['light', 'dark'] as const)(
    'The theme follows a system that is %s, changes by a click and is remembered',
    async (colorScheme) => {
      const { page } = await studio.visit({ ...SMALL, colorScheme });
      await page.goto(studio.address);
      await until(page, () => document.querySelector('heddle-app')?.shadowRoot?.querySelector('.mark'));
      const isDark = ({ paper, ink }: { paper: number; ink: number }) => {
        // readable either way
        expect(Math.abs(paper - ink)).toBeGreaterThan(150);
        return paper < ink;
      };
      expect(isDark(await readColours(page))).toBe(colorScheme === 'dark');
      await choose(page, 'system');
      expect(isDark(await readColours(page))).toBe(false);
      await choose(page, 'light');
      expect(isDark(await readColours(page))).toBe(true);
      await page.reload();
      await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
      expect(isDark(await readColours(page))).toBe(true);
      await choose(page, 'dark');
      expect(isDark(await readColours(page))).toBe(colorScheme === 'dark');
      await page.emulateMedia({ colorScheme: colorScheme === 'dark' ? 'light' : 'dark' });
      await untilIn(page, async () => isDark(await readColours(page)) === (colorScheme !== 'dark'));
    },
  );

  test('The theme changes the background of a scene and leaves its camera in place', async () => {
    const { page } = await studio.visit({ ...SMALL, colorScheme: 'light' });
    await openScene(page, `${studio.address}#/scene/strand-pendulum`);
    await pause(page);
    await page.evaluate(() => findScene().viewport!.shadowRoot!.querySelector<HTMLElement>('.stage')!.focus());
    await page.keyboard.press('ArrowRight');
    /** Brightness of the upper left corner of the picture, and where the camera is. */
    const look = () =>
      page.evaluate(() => {
        const picture = findScene().viewport!.capture()!;
        const [red, green, blue] = picture.getContext('2d')!.getImageData(3, picture.height - 4, 1, 1).data;
        return { light: (red + green + blue) / 3, camera: findScene().viewport!.camera!.place().position };
      });
    const light = await look();
    await choose(page, 'system');
    await choose(page, 'light');
    await until(page, () => {
      const picture = findScene().viewport!.capture()!;
      return picture.getContext('2d')!.getImageData(3, picture.height - 4, 1, 1).data[0] < 110;
    });
    const dark = await look();
    expect(light.light).toBeGreaterThan(180);
    expect(dark.light).toBeLessThan(110);
    expect(dark.camera).toEqual(light.camera);
  });
});

describe('the tour', () => {
  test('The tour and its links to scenes are reached by keys alone, and its six images are shown', async () => {
    const { page, complaints } = await studio.visit(SMALL);
    await page.goto(studio.address);
    await page.getByRole('searchbox').waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    const readFocus = () =>
      page.evaluate(() => {
        let element = document.activeElement;
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
        return { text: element?.textContent?.trim() ?? '', href: element?.getAttribute('href') ?? '' };
      });
    const press = async (key: string, times: number, found: (focus: { text: string; href: string }) => boolean) => {
      for (let i = 0; i < times; i++) {
        await page.keyboard.press(key);
        const focus = await readFocus();
        if (found(focus)) return focus;
      }
      throw new Error(`${times} times ${key} did not lead there`);
    };
    await press('Tab', 8, ({ href }) => href === '#/tour');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The idea in six images' }).waitFor();
    const pictures = page.locator('heddle-tour img');
    expect(await pictures.count()).toBe(6);
    for (const picture of await pictures.all()) {
      await picture.scrollIntoViewIfNeeded();
      const size = await picture.evaluate(async (image: HTMLImageElement) => {
        await image.decode();
        return [image.naturalWidth, image.naturalHeight, image.alt.length];
      });
      expect(Math.min(...size)).toBeGreaterThan(20);
    }
    const visited: string[] = [];
    for (let i = 0; i < 3; i++) {
      const { href } = await press('Tab', 10, ({ href }) => href.startsWith('#/scene/') && !visited.includes(href));
      visited.push(href);
    }
    expect(visited).toEqual(['#/scene/strand-corner-lagrangian', '#/scene/strand-corner', '#/scene/strand-ring']);
    await page.keyboard.press('Enter');
    await until(page, () => findScene()?.player.frame !== undefined);
    expect(await page.title()).toContain('Heddle Studio');
    expect(complaints).toEqual([]);
  });
});

describe('help', () => {
  test('The help opens and closes by ?, Escape and its button, but not by a ? typed into a field', async () => {
    const { page } = await studio.visit(SMALL);
    await page.goto(studio.address);
    await page.getByRole('searchbox').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Keys and gestures' });
    await page.keyboard.press('?');
    await dialog.waitFor();
    await page.keyboard.press('?');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Help' }).click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('searchbox').fill('what');
    await page.getByRole('searchbox').press('?');
    expect(await page.getByRole('searchbox').inputValue()).toBe('what?');
    expect(await dialog.isVisible()).toBe(false);
  });
});

describe('each key does what the help says', () => {
  test('The keys of the help rotate, move and zoom the view and send it home', async () => {
    const { page } = await studio.visit(SMALL);
    await openScene(page, `${studio.address}#/scene/strand-pendulum`);
    await pause(page);
    await page.evaluate(() => findScene().viewport!.shadowRoot!.querySelector<HTMLElement>('.stage')!.focus());
    /** Camera relative to its target as distance and two angles, and the target. */
    const look = () =>
      page.evaluate(() => {
        const { position, target } = findScene().viewport!.camera!.place();
        const arm = [position.x - target.x, position.y - target.y, position.z - target.z];
        const distance = Math.hypot(...arm);
        const round = (value: number) => Math.round(1e4 * value) / 1e4;
        return {
          distance: round(distance),
          around: round(Math.atan2(arm[0], arm[2])),
          above: round(Math.asin(arm[1] / distance)),
          target: [target.x, target.y, target.z].map(round),
        };
      });
    const home = await look();
    const press = async (key: string) => {
      await page.keyboard.press('0');
      expect(await look()).toEqual(home);
      await page.keyboard.press(key);
      return look();
    };
    const right = await press('ArrowRight');
    expect(right).toMatchObject({ distance: home.distance, above: home.above, target: home.target });
    expect(right.around).toBeGreaterThan(home.around);
    expect((await press('ArrowLeft')).around).toBeLessThan(home.around);
    expect((await press('ArrowUp')).above).toBeGreaterThan(home.above);
    expect((await press('ArrowDown')).above).toBeLessThan(home.above);
    const moved = await press('Shift+ArrowUp');
    expect(moved).toMatchObject({ distance: home.distance, around: home.around, above: home.above });
    expect(moved.target[1]).toBeGreaterThan(home.target[1]);
    expect((await press('+')).distance).toBeLessThan(home.distance);
    expect((await press('-')).distance).toBeGreaterThan(home.distance);
  });
});

describe('on a screen of 360 pixels', () => {
  test.each(['#/', '#/tour', '#/scene/strand-winch', '#/scene/no-such-scene'])(
    'The page %s fits 360 pixels, and its buttons are large enough',
    async (hash) => {
      const { page } = await studio.visit(PHONE);
      if (hash === '#/scene/strand-winch') await openScene(page, studio.address + hash);
      else await page.goto(studio.address + hash);
      const root = page.locator('heddle-app');
      await root.locator('heddle-gallery, heddle-tour, heddle-scene, [role=alert]').first().waitFor();
      const tabs = hash === '#/scene/strand-winch' ? ['Change', 'Measure', 'Scene', 'Compare', 'Export', 'View'] : [''];
      for (const tab of tabs) {
        if (tab !== '') await openPanel(page, tab);
        const { width, small } = await page.evaluate(measurePage);
        expect(width, `${hash} ${tab}`).toBeLessThanOrEqual(360);
        expect(small, `${hash} ${tab}`).toEqual([]);
      }
    },
  );

  /**
   * How wide the page is, and what is smaller than 24 × 24 CSS pixels though one should hit it (WCAG 2.2, 2.5.8); words
   * within a sentence, and what stands in a label as wide as a row, are excepted there, too.
   */
  function measurePage(): { width: number; small: string[] } {
    const small: string[] = [];
    const visit = (root: Document | ShadowRoot) => {
      for (const element of root.querySelectorAll<HTMLElement>('*')) {
        if (element.shadowRoot) visit(element.shadowRoot);
        if (!element.matches('button, a[href], input, select, summary, [role=tab]')) continue;
        if (element.matches('.skip, p a, p button') || element.closest('dialog:not([open])')) continue;
        const target = element.closest('label') ?? element;
        const { width, height, right } = target.getBoundingClientRect();
        if (width === 0) continue;
        if (width < 24 || height < 24) small.push(`${element.outerHTML.slice(0, 120)} ${width} × ${height}`);
        if (right > innerWidth + 1 && element.closest('.tabs') === null)
          small.push(`outside: ${element.outerHTML.slice(0, 120)}`);
      }
    };
    visit(document);
    return { width: document.scrollingElement!.scrollWidth, small };
  }
});

describe('fingers', () => {
  const touch = (session: CDPSession, type: string, points: readonly (readonly [number, number])[]) =>
    session.send('Input.dispatchTouchEvent', {
      type: type as 'touchStart',
      touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    });

  test('A finger drags a node or rotates the view, and two fingers zoom', async () => {
    const { page, context, complaints } = await studio.visit(PHONE);
    await openScene(page, `${studio.address}#/scene/strand-catenary`);
    await pause(page);
    const session = await context.newCDPSession(page);
    const find = () =>
      page.evaluate(() => {
        const { viewport, player } = findScene();
        const { x } = player.frame!.objects[0];
        const at = 3 * Math.floor(x.length / 6);
        const spot = viewport!.locate([x[at], x[at + 1], x[at + 2]])!;
        const { left, top, width, height } = viewport!.getBoundingClientRect();
        const { position, target } = viewport!.camera!.place();
        const camera = [position.x, position.y, position.z];
        return {
          height: x[at + 1],
          x: left + spot.x,
          y: top + spot.y,
          corner: [left + 0.12 * width, top + 0.15 * height] as const,
          camera,
          distance: position.distanceTo(target),
        };
      });
    const before = await find();
    // 8 pixels beside the node: a finger is not exact
    const [x, y] = [before.x + 8, before.y];
    await touch(session, 'touchStart', [[x, y]]);
    for (let i = 1; i <= 8; i++) await touch(session, 'touchMove', [[x, y - 8 * i]]);
    await until(page, () => findScene().viewport!.shadowRoot!.querySelector('.spring'));
    await until(
      page,
      (height) => {
        const { x } = findScene().player.frame!.objects[0];
        return x[3 * Math.floor(x.length / 6) + 1] > height + 0.02;
      },
      before.height,
    );
    await touch(session, 'touchEnd', []);
    await until(page, () => findScene().run.pull === null);
    expect((await find()).camera).toEqual(before.camera);
    await pause(page);
    const [left, top] = before.corner;
    await touch(session, 'touchStart', [[left, top]]);
    for (let i = 1; i <= 8; i++) await touch(session, 'touchMove', [[left + 8 * i, top]]);
    await touch(session, 'touchEnd', []);
    const turned = await find();
    expect(turned.camera).not.toEqual(before.camera);
    expect(turned.distance).toBeCloseTo(before.distance, 6);
    expect((await readPlayer(page)).playing).toBe(false);
    const fingers = (gap: number) =>
      [
        [left, top],
        [left + gap, top],
      ] as const;
    await touch(session, 'touchStart', fingers(60));
    for (let i = 1; i <= 6; i++) await touch(session, 'touchMove', fingers(60 + 20 * i));
    await touch(session, 'touchEnd', []);
    expect((await find()).distance).toBeLessThan(0.7 * before.distance);
    // the page under the view did not scroll meanwhile
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(complaints).toEqual([]);
  });
});
