import { defineErrors } from '../base/errors.ts'

export const apiErrors = defineErrors('api', {
	unknown_method: 'There is no method {method}.',
	host_gone: 'The host stopped.',
	no_window: 'This host serves no window. Stop it, and start it again without --no-ui.',
	export_unknown: 'This export is over. Start it again.',
	grid_closed: 'This grid is closed. Open the table again.',
})
