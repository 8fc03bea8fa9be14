import { defineErrors } from '../../base/errors.ts'

/** Refusals by the administrator's policy. Each message names the policy file. */
export const policyErrors = defineErrors('policy', {
	unreadable:
		'The policy of this machine, {file}, cannot be read: {reason}. No driver is installed or loaded, and AI clients are refused, until the administrator corrects it.',
	registry: 'The policy of this machine, {file}, does not allow the registry {registry}.',
	publisher: 'The policy of this machine, {file}, allows no drivers of {publisher}.',
	driver: 'The policy of this machine, {file}, does not allow the driver {driver}.',
	version: 'The policy of this machine, {file}, allows {driver} {range}. This release is {version}.',
	ai_access: 'The policy of this machine, {file}, switches off AI access.',
})
