import { InvalidArgumentError } from 'commander'
import { fingerprintIn, fingerprintRule } from '../../base/fingerprint.ts'

/** Parses the value of `--fingerprint`. */
export function parseFingerprint(text: string): string {
	const found = fingerprintIn(text)
	if (!found) throw new InvalidArgumentError(fingerprintRule)
	return found
}
