import type { CasesOf, Group } from '@roundhouse/kit/conformance'
import type { Found } from '../found.ts'
import type { Lab } from '../lab.ts'

/** Tries one case. A fault is passed to `found`; an error of the driver that is thrown counts as one. */
export type Run = (lab: Lab, found: Found) => Promise<void>

/** What each case of a group does. */
export type RunsOf<G extends Group> = Readonly<Record<CasesOf<G>, Run>>
