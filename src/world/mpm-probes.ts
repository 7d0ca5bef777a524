/** Probes of continua: parts of them, by particles, and what of a part is in a box of the world. */
import { type ContinuumModel, computeElementStrain } from '../mpm/index.ts';
import { describeColumns, type Probe } from './columns.ts';

/** Particles of a part of a continuum. */
export interface ParticleRegion {
  readonly model: ContinuumModel;
  /** Index of the part. */
  readonly part: number;
  readonly particles: Int32Array;
}

type Box = readonly [readonly [number, number, number], readonly [number, number, number]];

const isInside = (x: Float64Array, p: number, [a, b]: Box): boolean => {
  for (let k = 0; k < 3; k++) {
    const value = x[3 * p + k];
    if (value < Math.min(a[k], b[k]) || value > Math.max(a[k], b[k])) return false;
  }
  return true;
};

/** All particles of a part, or those that are in a box now. */
export function listParticles(model: ContinuumModel, part: number, box?: Box): ParticleRegion {
  const { points } = model.continuum;
  const { first, count, firstVertex, vertexCount } = points.groups[part];
  const particles: number[] = [];
  for (const [from, many] of [
    [first, count],
    [firstVertex, vertexCount],
  ])
    for (let p = from; p < from + many; p++) if (box === undefined || isInside(points.x, p, box)) particles.push(p);
  return { model, part, particles: Int32Array.from(particles) };
}

/** Mean of place or velocity, by mass. */
export function createParticleProbe(id: string, quantity: 'position' | 'velocity', region: ParticleRegion): Probe {
  return {
    id,
    ...describeColumns(id, ['x', 'y', 'z'], quantity === 'position' ? 'm' : 'm/s'),
    write(out, at) {
      const { points } = region.model.continuum;
      const values = quantity === 'position' ? points.x : points.v;
      out.fill(0, at, at + 3);
      let mass = 0;
      for (const p of region.particles) mass += points.mass[p];
      for (const p of region.particles)
        for (let k = 0; k < 3; k++) out[at + k] += (points.mass[p] / mass) * values[3 * p + k];
    },
  };
}

/** Sum of what holds particles [N], the mean of the last step. */
export function createParticleForceProbe(id: string, { model, particles }: ParticleRegion): Probe {
  return {
    id,
    ...describeColumns(id, ['x', 'y', 'z'], 'N'),
    write(out, at) {
      out.fill(0, at, at + 3);
      for (const p of particles) for (let k = 0; k < 3; k++) out[at + k] += model.holdForce[3 * p + k];
    },
  };
}

/** Mean strain of elements that are not torn; 0 where there are none. */
export function createParticleStrainProbe(id: string, { model, part, particles }: ParticleRegion): Probe {
  const { type, first, count } = model.continuum.points.groups[part];
  const elements =
    type === 'surface' || type === 'curve' ? particles.filter((p) => p >= first && p < first + count) : [];
  return {
    id,
    ...describeColumns(id, [''], '1'),
    write(out, at) {
      const { points } = model.continuum;
      let [sum, whole] = [0, 0];
      for (const p of elements) {
        if (points.gain[p] !== 0) continue;
        sum += computeElementStrain(points, p, type === 'surface');
        whole++;
      }
      out[at] = whole > 0 ? sum / whole : 0;
    },
  };
}

/** Smallest and largest coordinates [m]. */
export function createBoundsProbe(id: string, { model, particles }: ParticleRegion): Probe {
  return {
    id,
    ...describeColumns(id, ['minX', 'minY', 'minZ', 'maxX', 'maxY', 'maxZ'], 'm'),
    write(out, at) {
      const { points } = model.continuum;
      out.fill(Number.POSITIVE_INFINITY, at, at + 3);
      out.fill(Number.NEGATIVE_INFINITY, at + 3, at + 6);
      for (const p of particles)
        for (let k = 0; k < 3; k++) {
          out[at + k] = Math.min(out[at + k], points.x[3 * p + k]);
          out[at + 3 + k] = Math.max(out[at + 3 + k], points.x[3 * p + k]);
        }
    },
  };
}

/** Particles of a part that are in a box of the world now, or all: how many, their share of the mass, mean speed by mass, and the fastest. */
export function createParticlesProbe(id: string, { model, particles }: ParticleRegion, box?: Box): Probe {
  return {
    id,
    ...describeColumns(id, ['count', 'share', 'speed', 'fastest'], ['1', '1', 'm/s', 'm/s']),
    write(out, at) {
      let [count, mass, whole, sum, fastest] = [0, 0, 0, 0, 0];
      const { points } = model.continuum;
      const { x, v } = points;
      for (const p of particles) {
        const m = points.mass[p];
        whole += m;
        if (box !== undefined && !isInside(x, p, box)) continue;
        const speed = Math.sqrt(v[3 * p] * v[3 * p] + v[3 * p + 1] * v[3 * p + 1] + v[3 * p + 2] * v[3 * p + 2]);
        count++;
        mass += m;
        sum += m * speed;
        fastest = Math.max(fastest, speed);
      }
      out.set([count, mass / whole, mass > 0 ? sum / mass : 0, fastest], at);
    },
  };
}
