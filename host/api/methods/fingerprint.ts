import { z } from 'zod'
import { fingerprintIn, fingerprintRule } from '../../../base/fingerprint.ts'

/** Accepts a registry's fingerprint in capitals and in groups. */
export const fingerprintSchema = z
	.string()
	.transform(text => fingerprintIn(text))
	.pipe(z.string(fingerprintRule))
