/** The conformance kit: what a driver is held to, and the file in which it says how to try it. */

export { type CaseId, type CasesOf, type ConformanceCase, cases, type Group, groups } from './cases.ts'
export {
	type Ability,
	abilities,
	type Conformance,
	conformance,
	type EditExample,
	type Fixture,
	type RehearsalExample,
	type StartedCertificates,
	type StartedFixture,
	type StatementExamples,
	type TransactionExample,
} from './conformance.ts'
