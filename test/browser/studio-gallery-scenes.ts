/**
 * Scenes of the gallery in the studio as a person gets it who looks at one after the other: each opens, runs, complains
 * of nothing and is seen. What it comes to is seen in Node (`test/laws/gallery.long.test.ts`).
 */
import { expect, onTestFailed, test } from 'vitest';
import { countColours, measureShown, runUnseen } from './scene-acts.ts';
import { CALM, until, untilIn, useStudio, type Visit } from './studio-site.ts';

const STEPS = 5;

/** Tests scenes of the gallery, one after the other. */
export function testScenes(names: readonly string[]): void {
  const studio = useStudio();
  /** One page for all scenes, as loading it takes longer than a scene; a new one after a failure, which ends with its test. */
  let visit: Visit | undefined;

  test.each(names)('%s opens, runs and is drawn', async (name) => {
    visit ??= await studio.stay(CALM);
    onTestFailed(() => {
      visit = undefined;
    });
    const { page, complaints } = visit;
    await page.goto(`${studio.address}#/scene/${name}`);
    // the scene before may still be there
    await until(
      page,
      (name) => {
        const { player, viewport } = (document.querySelector('heddle-app')?.shadowRoot && findScene()) ?? {};
        return player?.shown?.scene.name === name && player.frame?.step === 0 && viewport?.canvas;
      },
      name,
    );
    const scene = await page.evaluateHandle(() => findScene());
    const before = await scene.evaluate(({ player }) => player.frame!.time);
    await scene.evaluate(runUnseen, STEPS);
    await until(page, (steps) => findScene().player.frame!.step === steps, STEPS);
    expect(await scene.evaluate(({ player }) => player.frame!.time)).toBeGreaterThan(before);
    expect(await scene.evaluate(({ run }) => run.message)).toBe('');
    await untilIn(page, async () => (await scene.evaluate(countColours)) > 300);
    // every second check of a strand is black, which does not count as seen
    await untilIn(page, async () => (await scene.evaluate(measureShown)) > 0.25);
    expect(complaints).toEqual([]);
  });
}
