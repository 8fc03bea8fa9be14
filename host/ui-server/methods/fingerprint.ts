import { z } from 'zod'
import { fingerprintIn, fingerprintRule } from '../../base/fingerprint.ts'

/** A registry's fingerprint as people copy it: in capitals, or in groups. */
export const fingerprintSchema = z
	.string()
	.transform(text => fingerprintIn(text))
	.pipe(z.string(fingerprintRule))
