import type { CasesOf, Group } from '@roundhouse/kit/conformance'
import type { Report } from '../findings.ts'
import type { Lab } from '../lab.ts'

/** Tries one case. A fault is passed to `report`; an error of the driver that is thrown counts as one. */
export type Run = (lab: Lab, report: Report) => Promise<void>

/** What each case of a group does. */
export type RunsOf<G extends Group> = Readonly<Record<CasesOf<G>, Run>>
