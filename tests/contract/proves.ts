import type { RequirementId } from './requirements.ts'

/**
 * Returns the title of a test that proves one rule of the contract: `test(proves('A.service.loopback', 'refuses an
 * outside address'), …)`. `coverage.test.ts` finds these calls in the sources, so the id must be a literal.
 */
export function proves(id: RequirementId, title: string): string {
	return `${id}: ${title}`
}
