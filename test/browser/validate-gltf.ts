/** A command of the browser tests that runs in Node: gltf-validator over a GLB as base64. */
import { validateBytes } from 'gltf-validator';

/** Errors and warnings of the validator, one sentence each. */
export async function validateGltf(_context: unknown, base64: string): Promise<string[]> {
  const { issues } = await validateBytes(new Uint8Array(Buffer.from(base64, 'base64')), { maxIssues: 0 });
  return issues.messages.filter(({ severity }) => severity <= 1).map(({ code, message }) => `${code}: ${message}`);
}
