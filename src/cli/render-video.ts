/** An MP4 video of images, made by ffmpeg where it is installed: H.264, which every browser and player shows. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { HeddleError } from '../model/errors.ts';

/** Takes images in order; `end` finishes the file. */
export interface Video {
  add(png: Buffer): Promise<void>;
  end(): Promise<void>;
}

export function hasFfmpeg(): boolean {
  return spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status === 0;
}

export function createVideo(path: string, framesPerSecond: number): Video {
  const input = ['-f', 'image2pipe', '-framerate', String(framesPerSecond), '-c:v', 'png', '-i', '-'];
  // H.264 in 4:2:0 needs even sizes
  const even = 'pad=ceil(iw/2)*2:ceil(ih/2)*2';
  const output = ['-vf', even, '-c:v', 'libx264', '-crf', '17', '-pix_fmt', 'yuv420p', '-movflags', '+faststart', path];
  const ffmpeg = spawn('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-y', ...input, ...output], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let complaint = '';
  ffmpeg.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  // a broken pipe is told by the exit code
  ffmpeg.stdin.on('error', () => undefined);
  const ended = once(ffmpeg, 'close');
  return {
    async add(png) {
      if (!ffmpeg.stdin.write(png)) await Promise.race([once(ffmpeg.stdin, 'drain'), ended]);
    },
    async end() {
      ffmpeg.stdin.end();
      const [code] = await ended;
      if (code === 0) return;
      const reason = complaint.trim().split('\n').at(-1) ?? '';
      throw new HeddleError(`ffmpeg could not write ${path} (${reason === '' ? `exit code ${code}` : reason}).`);
    },
  };
}
