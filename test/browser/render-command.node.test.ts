/** `heddle render` as a user calls it, on a world of the command's own tests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { decodePng } from '../../src/cli/palette-png.ts';
import { hasFfmpeg } from '../../src/cli/render-video.ts';
import { readAnimatedPng } from '../unit/apng-reader.ts';
import { makeWorkplace } from '../unit/cli-fixtures.ts';

afterEach(() => vi.unstubAllEnvs());

const SMALL = ['--size', '160x90'];

describe('heddle render', () => {
  test('The chosen frames of a run are drawn and numbered like the frames', async () => {
    const place = makeWorkplace();
    await place.run('run', 'spring.json');
    const result = await place.run('render', 'out/spring', '--frames', '11..31', '--every', '10', ...SMALL);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toContain(join('out', 'spring', 'png', 'spring.0031.png'));
    const folder = join(place.folder, 'out/spring/png');
    expect(readdirSync(folder)).toEqual(['spring.0011.png', 'spring.0021.png', 'spring.0031.png']);
    const picture = readFileSync(join(folder, 'spring.0011.png'));
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([160, 90]);
  });

  test.runIf(hasFfmpeg())(
    'A scene is simulated, the frame nearest to a time is drawn, and a video is made',
    async () => {
      const place = makeWorkplace();
      const result = await place.run('render', 'spring.json', '--time', '0.5', '--video', '--out', 'film', ...SMALL);
      expect(result).toMatchObject({ code: 0, stderr: '' });
      // 30 frames a second: 0.5 s is frame 16
      expect(readdirSync(join(place.folder, 'film/png'))).toEqual(['spring.0016.png']);
      // an MP4 file has the word ftyp in its first box
      expect(readFileSync(join(place.folder, 'film/spring.mp4')).toString('latin1', 4, 8)).toBe('ftyp');
    },
  );

  test('An animated PNG has the drawn images as its frames, at their rate', async () => {
    const place = makeWorkplace();
    const result = await place.run(
      'render',
      'spring.json',
      '--frames',
      '1..31',
      '--every',
      '6',
      '--animation',
      ...SMALL,
    );
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toContain(join('out', 'spring', 'spring.animated.png'));
    const folder = join(place.folder, 'out/spring');
    const pictures = readdirSync(join(folder, 'png')).map((file) => decodePng(readFileSync(join(folder, 'png', file))));
    const { width, height, frames } = readAnimatedPng(readFileSync(join(folder, 'spring.animated.png')));
    expect([width, height, frames.length]).toEqual([160, 90, 6]);
    for (const [f, { rgb, delay }] of frames.entries()) {
      expect(delay).toBeCloseTo(6 / 30, 10);
      let sum = 0;
      for (let i = 0; i < rgb.length; i++) sum += (rgb[i] - pictures[f].rgb[i]) ** 2;
      // 255 colours instead of all: less than two steps of a channel in the mean
      expect(Math.sqrt(sum / rgb.length)).toBeLessThan(2);
    }
  });

  test('Without ffmpeg the images are drawn and one sentence says what to install', async () => {
    const place = makeWorkplace();
    vi.stubEnv('CHROMIUM_PATH', process.env.CHROMIUM_PATH ?? '/usr/bin/chromium');
    vi.stubEnv('PATH', place.folder);
    const result = await place.run('render', 'spring.json', '--frames', '1', '--video', ...SMALL);
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(/^No video will be written, because ffmpeg was not found; install it .*\n$/);
    expect(existsSync(join(place.folder, 'out/spring/png/spring.0001.png'))).toBe(true);
  });

  test('Without a browser one sentence says what to install before anything is simulated', async () => {
    const place = makeWorkplace();
    vi.stubEnv('CHROMIUM_PATH', join(place.folder, 'nothing'));
    const { code, stdout, stderr } = await place.run('render', 'spring.json');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^ChromiumError: CHROMIUM_PATH is ".*nothing", and there is no such file; .*\n$/);
  });

  test.each([
    [['--size', 'big'], 'width x height'],
    [['--size', '9999x1'], 'from 16 to 4096'],
    [['--frames', '5..2'], '1 <= a <= b'],
    [['--frames', '1..99'], 'there are 31 frames'],
    [['--time', '-1'], '>= 0'],
    [['--time', '0', '--every', '2'], 'leave out --time'],
    [['--every', '0'], 'whole number'],
    [['--colour', 'pink'], 'checker, speed, tension'],
  ])('The options %j are refused', async (options, sentence) => {
    const { code, stderr } = await makeWorkplace().run('render', 'spring.json', ...options);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});
