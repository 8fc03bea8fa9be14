import { defineErrors } from '../../base/errors.ts'

export const apiErrors = defineErrors('api', {
	unknown_method: 'There is no method {method}.',
	host_gone: 'The host stopped.',
	no_window: 'This host serves no window. Stop it, and start it again without --no-ui.',
	export_unknown: 'This export is over. Start it again.',
	grid_open: 'This grid is open already.',
	grid_closed: 'This grid is closed. Open the table again.',
})

export const writeErrors = defineErrors('write', {
	read_only: '"{name}" is read only, and this would write. Its safe mode is in its settings (Edit).',
	not_shown: 'This write on "{name}" was not shown as it would be sent. Review it, then send it.',
	name_needed: 'This destroys data. Type {expected} to send it.',
})
