import { defineErrors } from '../../base/errors.ts'

export const apiErrors = defineErrors('api', {
	unknown_method: 'There is no method {method}.',
	host_gone: 'The host stopped.',
	no_window: 'This host was started without the window. Stop the host, then start it without --no-ui.',
	export_unknown: 'This export has ended. Start a new export.',
	grid_open: 'This grid is already open.',
	grid_closed: 'This grid is closed. Open the table again.',
})

export const writeErrors = defineErrors('write', {
	read_only:
		'"{name}" is read-only, so this write was not sent. To allow writes, select Edit and change the safe mode of the connection.',
	not_shown: 'This write to "{name}" was not reviewed in its current form. Review it, then send it.',
	name_needed: 'This destroys data. To send it, type {expected}.',
})
