import { defineErrors } from '../base/errors.ts'

/** What the administrator of this machine does not allow. Each names the file that says so. */
export const policyErrors = defineErrors('policy', {
	unreadable:
		'The policy of this machine, {file}, cannot be read: {reason}. Until its administrator mends it no driver is installed or loaded, and AI clients are kept out.',
	registry: 'The policy of this machine, {file}, does not allow the registry {registry}.',
	publisher: 'The policy of this machine, {file}, allows no drivers of {publisher}.',
	driver: 'The policy of this machine, {file}, does not allow the driver {driver}.',
	version: 'The policy of this machine, {file}, allows {driver} in {range} alone, and this is {version}.',
	ai_access: 'The policy of this machine, {file}, switches AI access off.',
})
