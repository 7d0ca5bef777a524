/**
 * A weakly compressible fluid (Tait's equation of state), which is pressed but not pulled.   [Monaghan 1994; theory/mpm#other-particles]
 *
 *     p(J) = κ/n (J⁻ⁿ − 1) for J < 1, 0 above      ψ(J) = κ/n (J¹⁻ⁿ/(n − 1) + J − n/(n − 1)),  ψ′ = −p      τ = −p J I + 2 η J dev D
 *
 *   J  volume against that at rest [1]   κ  bulk modulus [Pa]: (c/10)² ρ keeps densities within 1 % at speeds of c/100
 *   n  exponent, a whole number, 7 for water   η  viscosity [Pa s]   D = ½ (∇v + ∇vᵀ) [1/s]
 * A fluid forgets its shape: J alone is kept, not F.
 */

export interface FluidLaw {
  /** κ [Pa] */
  readonly bulkModulus: number;
  /** n, a whole number > 1. */
  readonly exponent: number;
  /** η [Pa s] */
  readonly viscosity: number;
}

/** J⁻ⁿ, by multiplication: same bits everywhere. */
const computePower = (j: number, n: number): number => {
  let power = 1;
  for (let k = 0; k < n; k++) power *= j;
  return 1 / power;
};

/** p [Pa] */
export const computePressure = (j: number, law: FluidLaw): number =>
  j < 1 ? (law.bulkModulus / law.exponent) * (computePower(j, law.exponent) - 1) : 0;

/** ψ [J/m³] */
export const computeFluidEnergy = (j: number, law: FluidLaw): number => {
  if (!(j < 1)) return 0;
  const n = law.exponent;
  return (law.bulkModulus / n) * ((computePower(j, n) * j) / (n - 1) + j - n / (n - 1));
};

/** ψ″(J) = κ J⁻ⁿ⁻¹ [Pa] */
export const computeFluidModulus = (j: number, law: FluidLaw): number =>
  j < 1 ? law.bulkModulus * computePower(j, law.exponent + 1) : 0;
