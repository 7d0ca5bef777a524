/**
 * Other units into SI: every function takes a number in its unit and returns the number in SI. Nothing else in Heddle
 * knows a unit that is not SI.   Example: { radius: mm(1.5), linearDensity: tex(250), youngsModulus: GPa(2) }
 */

const unit =
  (factor: number) =>
  (value: number): number =>
    value * factor;

/** Micrometres → m. */
export const um = unit(1e-6);
/** Millimetres → m. */
export const mm = unit(1e-3);
/** Centimetres → m. */
export const cm = unit(1e-2);
/** Inches → m. */
export const inch = unit(0.0254);

/** Milliseconds → s. */
export const ms = unit(1e-3);
/** Revolutions per minute → rad/s. */
export const rpm = unit(Math.PI / 30);
/** Degrees → rad. */
export const deg = unit(Math.PI / 180);

/** Grams → kg. */
export const gram = unit(1e-3);
/** Grams per cubic centimetre → kg/m³. */
export const gramPerCm3 = unit(1e3);
/** Grams per square metre (fabric weight) → kg/m². */
export const gsm = unit(1e-3);
/** Tex, grams per kilometre of yarn → kg/m. */
export const tex = unit(1e-6);
/** Decitex, grams per ten kilometres of yarn → kg/m. */
export const dtex = unit(1e-7);
/** Denier, grams per nine kilometres of yarn → kg/m. */
export const denier = unit(1e-6 / 9);
/** Metric count Nm, kilometres of yarn per kilogram → kg/m. */
export const metricCount = (count: number): number => 1e-3 / count;
/** English cotton count Ne, hanks of 840 yards per pound → kg/m. */
export const cottonCount = (count: number): number => 0.45359237 / (840 * 0.9144 * count);

/** Centinewtons (yarn tensions) → N. */
export const cN = unit(1e-2);
/** Grams-force → N. */
export const gramForce = unit(9.80665e-3);
/** Kilopascals → Pa. */
export const kPa = unit(1e3);
/** Megapascals → Pa. */
export const MPa = unit(1e6);
/** Gigapascals → Pa. */
export const GPa = unit(1e9);

/** Percent → fraction. */
export const percent = unit(1e-2);
