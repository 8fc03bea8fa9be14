import { z } from 'zod'

/** A registry's fingerprint as people copy it: in capitals, or in groups. */
export const fingerprintSchema = z
	.string()
	.transform(text => text.replace(/[\s:]/g, '').toLowerCase())
	.pipe(z.string().regex(/^[0-9a-f]{64}$/, 'A fingerprint has 64 hexadecimal digits.'))
