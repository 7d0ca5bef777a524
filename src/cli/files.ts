/** Files of the command, with errors of one sentence: which file, what is wrong, what to do. */

import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import { HeddleError } from '../model/errors.ts';

/** A file or folder that cannot be read or written. */
export class FileError extends HeddleError {
  override readonly name = 'FileError';
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'is below something that is not a folder',
  EEXIST: 'exists and is not a folder',
  EACCES: 'cannot be accessed: permission denied',
  EPERM: 'cannot be accessed: permission denied',
  EROFS: 'is on a read-only file system',
  ENOSPC: 'cannot be written because the disk is full; files written so far are kept. Free some space and add --resume',
  EDQUOT:
    'cannot be written because your disk quota is used up; files written so far are kept. Free some space and add --resume',
  EFBIG: 'has become larger than this file system allows; files written so far are kept',
  EMFILE: 'cannot be opened because too many files are open',
  ENAMETOOLONG: 'has a name that is too long',
  ERR_FS_FILE_TOO_LARGE: 'is larger than 2 GB, the most that can be read at once',
};

/** A path as a person would write it: relative when it lies below the folder. */
export function showPath(path: string, folder: string): string {
  const short = relative(folder, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}

/** Runs `action`; an error of the file system becomes a FileError about `path`. */
export function onFile<Result>(path: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw toFileError(error, path);
  }
}

/** The FileError for an error of the file system; any other error as it is. */
export function toFileError(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = REASONS[code];
  if (reason !== undefined) return new FileError(`${path} ${reason}.`, { cause: error });
  if (/^E[A-Z0-9]+$/.test(code)) return new FileError(`${path} cannot be used (${code}).`, { cause: error });
  return error;
}

export function readBytes(path: string, most = Number.POSITIVE_INFINITY): Uint8Array<ArrayBuffer> {
  return onFile(path, () => {
    const { size } = statSync(path);
    if (size > most)
      throw new FileError(
        `${path} has ${size} bytes; at most ${most} are read. Use a coarser mesh, or raise the limit fileBytes.`,
      );
    return new Uint8Array(readFileSync(path));
  });
}

export function readText(path: string): string {
  return onFile(path, () => readFileSync(path, 'utf8'));
}

/** Makes a folder and those above it. One at a time: the recursive mkdir of Node never returns for a path in /proc. */
export function makeFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  onFile(path, () => {
    try {
      mkdirSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new FileError(`${path} cannot be created; choose a folder elsewhere with --out.`, { cause: error });
    }
  });
}

/** Replaces a file in one go: readers see the old or the new content, never half of it. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  onFile(path, () => {
    const part = `${path}.part`;
    try {
      writeFileSync(part, content);
      renameSync(part, path);
    } catch (error) {
      // half a file is of no use to anyone, and takes room on a disk that may be full
      rmSync(part, { force: true });
      throw error;
    }
  });
}

/** Writes all bytes at the current end of an open file. */
export function appendBytes(descriptor: number, path: string, bytes: Uint8Array): void {
  onFile(path, () => {
    let written = 0;
    while (written < bytes.length) written += writeSync(descriptor, bytes, written, bytes.length - written);
  });
}

/** Opens a file for `use` and closes it again whatever happens. */
export function withFile<Result>(path: string, flags: string, use: (descriptor: number) => Result): Result {
  const descriptor = onFile(path, () => openSync(path, flags));
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
