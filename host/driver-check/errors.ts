import { defineErrors } from '../../base/errors.ts'

export const checkErrors = defineErrors('check', {
	findings: '{driver} has findings: {count}.',
	conformance_unreadable: '{file} cannot be used: {reason}.',
	fixture_failed: 'The fixture of conformance.ts did not start: {reason}.',
})
