/**
 * Reads Wavefront OBJ: vertices (v), texture coordinates (vt), faces (f) of any number of corners, polylines (l).
 * Indices count from 1, or back from the latest when negative; faces may name vertices that come later. Normals, names,
 * groups and materials are skipped; free-form curves and surfaces are refused, and so is anything unknown.
 */
import { triangulatePolygon } from '../geometry/index.ts';
import type { Vec3 } from '../math/index.ts';
import { FormatError } from '../model/errors.ts';
import { joinMesh, MESH_LIMITS, type MeshFile, type ReadMeshOptions } from './mesh-file.ts';
import { checkPoseSize, joinPoses, type MeshPoses } from './mesh-poses.ts';
import type { YarnCurves } from './yarn-curves.ts';

/** Corners of one face: more would take too long to cut up. */
const MAX_FACE = 1000;
/** Sum of the cubes of the corners of faces that have more than eight: what cutting them up takes. */
const MOST_CUTTING = 3e9;

const SKIPPED = new Set(['vn', 'vp', 'p', 'o', 'g', 's', 'mg', 'usemtl', 'mtllib', 'usemap', 'maplib', 'lod', 'bevel']);
const FREE_FORM = new Set(['cstype', 'deg', 'curv', 'curv2', 'surf', 'parm', 'trim', 'hole', 'end', 'bmat', 'step']);

interface Element {
  readonly line: number;
  /** Vertex and texture index (−1 for none) of each corner, counted from 0. */
  readonly vertices: readonly number[];
  readonly texcoords: readonly number[];
}

class ObjReader {
  readonly source: string;
  readonly positions: number[] = [];
  readonly texcoords: number[] = [];
  readonly faces: Element[] = [];
  readonly lines: Element[] = [];
  line = 0;
  corners = 0;
  cutting = 0;

  constructor(source: string) {
    this.source = source;
  }

  fail(message: string, line = this.line): never {
    throw new FormatError(`${this.source}:${line}: ${message}.`);
  }

  read(text: string): void {
    const lines = text.split(/\r\n|\n|\r/);
    for (let i = 0; i < lines.length; i++) {
      this.line = i + 1;
      let statement = lines[i];
      if (statement.endsWith('\\')) {
        const parts: string[] = [];
        for (; lines[i].endsWith('\\') && i + 1 < lines.length; i++) parts.push(lines[i].slice(0, -1));
        statement = [...parts, lines[i]].join(' ');
      }
      const comment = statement.indexOf('#');
      const words = (comment < 0 ? statement : statement.slice(0, comment)).trim().split(/\s+/);
      if (words[0] !== '') this.readStatement(words[0], words.slice(1));
    }
  }

  readStatement(keyword: string, words: readonly string[]): void {
    if (keyword === 'v') this.readNumbers('v', words, 3, 8, this.positions, 3);
    else if (keyword === 'vt') this.readNumbers('vt', words, 1, 3, this.texcoords, 2);
    else if (keyword === 'f' || keyword === 'fo') this.readElement(words, 3, MAX_FACE, this.faces);
    else if (keyword === 'l') this.readElement(words, 2, MESH_LIMITS.corners, this.lines);
    else if (FREE_FORM.has(keyword)) {
      this.fail(
        `"${keyword}" begins a free-form curve or surface, which is not supported; export the model as triangles`,
      );
    } else if (!SKIPPED.has(keyword)) {
      const shown = JSON.stringify(keyword.slice(0, 20));
      this.fail(`${shown} is not an OBJ statement; lines begin with v, vt, vn, f, l, o, g, s, usemtl, mtllib or #`);
    }
  }

  /** Reads between `least` and `most` numbers and keeps the first `kept`, with 0 for those left out. */
  readNumbers(
    keyword: string,
    words: readonly string[],
    least: number,
    most: number,
    into: number[],
    kept: number,
  ): void {
    if (words.length < least || words.length > most) {
      this.fail(`${keyword} has ${words.length} numbers; it needs ${least}${most > least ? ` to ${most}` : ''}`);
    }
    for (let k = 0; k < kept; k++) {
      const value = k < words.length ? Number(words[k]) : 0;
      if (!Number.isFinite(value)) {
        this.fail(`${keyword} has ${JSON.stringify(words[k].slice(0, 40))} instead of a finite number`);
      }
      into.push(value);
    }
    if (into.length > 3 * MESH_LIMITS.vertices) this.fail(`there are more than ${MESH_LIMITS.vertices} vertices`);
  }

  readElement(words: readonly string[], least: number, most: number, into: Element[]): void {
    if (words.length < least || words.length > most) {
      this.fail(`the element has ${words.length} corners; ${least} to ${most} are allowed`);
    }
    this.corners += words.length;
    if (words.length > 8 && into === this.faces) this.cutting += words.length * words.length * words.length;
    if (this.cutting > MOST_CUTTING)
      this.fail('there are too many faces with many corners; triangulate the mesh when exporting it');
    if (this.corners > MESH_LIMITS.corners) this.fail(`there are more than ${MESH_LIMITS.corners} corners`);
    const vertices: number[] = [];
    const texcoords: number[] = [];
    for (const word of words) {
      const parts = word.split('/');
      if (parts.length > 3)
        this.fail(`the corner ${JSON.stringify(word.slice(0, 40))} has ${parts.length} indices; at most 3 are allowed`);
      vertices.push(this.readIndex(parts[0], this.positions.length / 3, word));
      const hasTexture = parts.length > 1 && parts[1] !== '';
      texcoords.push(hasTexture ? this.readIndex(parts[1], this.texcoords.length / 2, word) : -1);
    }
    into.push({ line: this.line, vertices, texcoords });
  }

  /** An index from 0; those beyond the end are found by `check`, since later statements may still add vertices. */
  readIndex(word: string, countSoFar: number, corner: string): number {
    if (!/^-?\d{1,9}$/.test(word) || Number(word) === 0) {
      this.fail(`the corner ${JSON.stringify(corner.slice(0, 40))} must consist of whole numbers other than 0`);
    }
    const index = Number(word);
    if (index > 0) return index - 1;
    if (countSoFar + index < 0)
      this.fail(`the corner ${corner} is a relative index before the first of ${countSoFar} so far`);
    return countSoFar + index;
  }

  check(): void {
    const counts = { vertex: this.positions.length / 3, 'texture coordinate': this.texcoords.length / 2 };
    for (const { line, vertices, texcoords } of [...this.faces, ...this.lines]) {
      for (const index of vertices) {
        if (index >= counts.vertex) this.fail(`vertex ${index + 1} is used; the file has ${counts.vertex}`, line);
      }
      for (const index of texcoords) {
        if (index >= counts['texture coordinate']) {
          this.fail(`texture coordinate ${index + 1} is used; the file has ${counts['texture coordinate']}`, line);
        }
      }
    }
  }

  point(vertex: number): Vec3 {
    return [this.positions[3 * vertex], this.positions[3 * vertex + 1], this.positions[3 * vertex + 2]];
  }

  toMesh(): MeshFile {
    this.check();
    const indices: number[] = [];
    const texcoords: number[] = [];
    const textured = this.faces.some((face) => face.texcoords.some((index) => index >= 0));
    for (const face of this.faces) {
      for (const corner of triangulatePolygon(face.vertices.map((vertex) => this.point(vertex)))) {
        indices.push(face.vertices[corner]);
        if (!textured) continue;
        const t = face.texcoords[corner];
        texcoords.push(t < 0 ? 0 : this.texcoords[2 * t], t < 0 ? 0 : this.texcoords[2 * t + 1]);
      }
    }
    const curves = this.lines.map(({ vertices }) =>
      Float64Array.from(vertices.flatMap((vertex) => this.point(vertex))),
    );
    return joinMesh(this.positions, indices, texcoords, curves);
  }
}

/** The faces of an OBJ file as triangles and its `l` elements as curves; one of the two must be there. */
export const readObjMesh = (text: string, options: ReadMeshOptions = {}): MeshFile => {
  const source = options.source ?? 'OBJ file';
  const reader = new ObjReader(source);
  reader.read(text);
  if (reader.faces.length === 0 && reader.lines.length === 0) {
    throw new FormatError(
      `${source} has ${reader.positions.length / 3} vertices but no face (f) or line (l) between them.`,
    );
  }
  return reader.toMesh();
};

/** One file of a sequence. */
export interface ObjPose {
  readonly text: string;
  /** Name of the file, for messages. */
  readonly source: string;
}

/** The faces of OBJ files that differ in where their vertices are only, cut into triangles as in the first. */
export const readObjPoses = (files: readonly ObjPose[]): MeshPoses => {
  const readers = files.map(({ text, source }) => {
    const reader = new ObjReader(source);
    reader.read(text);
    reader.check();
    if (reader.faces.length === 0) throw new FormatError(`${source} has no face (f).`);
    return reader;
  });
  const [first] = readers;
  checkPoseSize(first.source, first.positions.length / 3, readers.length);
  for (const { source, positions, faces } of readers) {
    if (positions.length !== first.positions.length)
      throw new FormatError(
        `${source} has ${positions.length / 3} vertices and ${first.source} ${first.positions.length / 3}; all files of a sequence must have the same number.`,
      );
    const other = faces.findIndex(({ vertices }, f) => vertices.join() !== first.faces[f]?.vertices.join());
    if (other >= 0 || faces.length !== first.faces.length)
      throw new FormatError(
        `${source} has different faces from ${first.source}${other >= 0 ? ` from line ${faces[other].line} on` : ''}; all files of a sequence must have the same faces.`,
      );
  }
  const indices: number[] = [];
  for (const { vertices } of first.faces)
    for (const corner of triangulatePolygon(vertices.map((vertex) => first.point(vertex))))
      indices.push(vertices[corner]);
  return joinPoses(
    readers.map(({ positions }) => positions),
    indices,
  );
};

/** The `l` elements of an OBJ file, of which one must be there; closed where the last vertex is the first again. */
export const readObjCurves = (text: string, options: ReadMeshOptions = {}): YarnCurves => {
  const source = options.source ?? 'OBJ file';
  const reader = new ObjReader(source);
  reader.read(text);
  reader.check();
  if (reader.lines.length === 0) {
    throw new FormatError(
      `${source} has ${reader.positions.length / 3} vertices but no line (l) between them; is it cut off, or a mesh?`,
    );
  }
  const curves = reader.lines.map(({ vertices }) => {
    const closed = vertices[0] === vertices[vertices.length - 1];
    const kept = closed ? vertices.slice(0, -1) : vertices;
    return { closed, points: Float64Array.from(kept.flatMap((vertex) => reader.point(vertex))) };
  });
  return { type: 'polyline', dimensions: 3, curves };
};
