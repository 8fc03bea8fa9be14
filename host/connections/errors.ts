import { defineErrors } from '../base/errors.ts'

export const connectionErrors = defineErrors('connection', {
	unknown: 'There is no connection {id}. `roundhouse connection list` shows them.',
	setting_invalid: '{field}: {reason}.',
	import_unfit: 'These connections cannot be imported, and none of them was: {reason}',
	secret_lost: 'The saved {field} of "{name}" cannot be read from the secret store. Enter it again.',
	path_refused: '{field}: {path} cannot be given to the driver: {reason}.',
	file_unreadable: '{field}: {path} cannot be read: {reason}.',
})

export const secretErrors = defineErrors('secret', {
	sealed_elsewhere:
		'The secrets in {path} were sealed by {by}, which is no longer used. Move the file away, then enter them again.',
	store_damaged: 'The secret store cannot be opened: {reason}. Move {path} away to start with an empty one.',
})
