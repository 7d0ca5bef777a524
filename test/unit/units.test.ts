import {
  cm,
  cN,
  cottonCount,
  deg,
  denier,
  dtex,
  GPa,
  gram,
  gramForce,
  gramPerCm3,
  gsm,
  inch,
  kPa,
  MPa,
  metricCount,
  mm,
  ms,
  percent,
  rpm,
  tex,
  um,
} from 'heddle/model';
import { expect, test } from 'vitest';

test('units turn into SI', () => {
  expect(mm(25.4)).toBeCloseTo(inch(1), 15);
  expect(cm(1)).toBeCloseTo(mm(10), 15);
  expect(um(1000)).toBeCloseTo(mm(1), 15);
  expect(deg(180)).toBeCloseTo(Math.PI, 15);
  expect(rpm(60)).toBeCloseTo(2 * Math.PI, 14);
  expect(GPa(1)).toBe(MPa(1000));
  expect(MPa(1)).toBe(kPa(1000));
  // A yarn of 1 tex weighs 1 g per 1000 m.
  expect(tex(1) * 1000).toBeCloseTo(gram(1), 15);
  expect(dtex(10)).toBeCloseTo(tex(1), 18);
  expect(denier(9)).toBeCloseTo(tex(1), 18);
  // Counts are length per mass: Nm 50 is 20 tex; 30 hanks of 768.096 m of Ne 30 weigh a pound, 453.59237 g.
  expect(metricCount(50)).toBeCloseTo(tex(20), 18);
  expect(cottonCount(30) * 30 * 768.096).toBeCloseTo(gram(453.59237), 14);
  expect(gsm(200)).toBeCloseTo(0.2, 15);
  expect(gramPerCm3(1.5)).toBe(1500);
  expect(cN(98.0665)).toBeCloseTo(gramForce(100), 12);
  expect(ms(5) * 200).toBeCloseTo(1, 15);
  expect(percent(3)).toBeCloseTo(0.03, 15);
});
