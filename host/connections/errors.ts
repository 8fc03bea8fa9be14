import { defineErrors } from '../../base/errors.ts'

export const connectionErrors = defineErrors('connection', {
	unknown: 'There is no connection {id}. `roundhouse connection list` shows them.',
	setting_invalid: '{field}: {reason}.',
	import_unfit: 'No connection was imported, because the file cannot be used: {reason}',
	project_unfit: 'The project in {path} was not opened: {reason}.',
	project_changed: 'The roundhouse.json in {path} has changed since you read it. Open the project again.',
	project_unwritten: 'Nothing was written to the project in {path}: {reason}.',
	secret_lost: 'The saved {field} of "{name}" cannot be read from the secret store. Enter it again.',
	secret_command: 'The command that reads {field} of "{name}" failed. The window shows what it said.',
	secret_not_agreed:
		'The command that reads {field} of "{name}" was not agreed to on this machine. Save the connection in the window.',
	secret_not_found: '{field} of "{name}" is not there: {reason}.',
	path_refused: '{field}: {path} cannot be given to the driver: {reason}.',
	folder_refused: 'The folder {path} cannot be listed: {reason}.',
	file_unreadable: '{field}: {path} cannot be read: {reason}.',
})

export const secretErrors = defineErrors('secret', {
	sealed_elsewhere:
		'The secrets in {path} were encrypted by {by}, which is no longer used. Move the file away, then enter the secrets again.',
	store_damaged: 'The secret store cannot be opened: {reason}. To start with an empty store, move {path} away.',
})
