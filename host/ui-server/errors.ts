import { defineErrors } from '../base/errors.ts'

export const apiErrors = defineErrors('api', {
	unknown_method: 'There is no method {method}.',
	host_gone: 'The host stopped.',
	export_unknown: 'This export is over. Start it again.',
	grid_closed: 'This grid is closed. Open the table again.',
})
