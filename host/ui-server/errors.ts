import { defineErrors } from '../base/errors.ts'

export const apiErrors = defineErrors('api', {
	unknown_method: 'There is no method {method}.',
	grid_closed: 'This grid is closed. Open the table again.',
})
