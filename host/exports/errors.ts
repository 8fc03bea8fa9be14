import { defineErrors } from '../../base/errors.ts'

export const exportErrors = defineErrors('export', {
	no_folder: 'No folder for exports is chosen. The user chooses one in Roundhouse: Settings, AI access, Exports.',
	folder_invalid:
		'The folder for exports, {path}, cannot be used: {reason}. The user chooses it in Settings, AI access.',
	name_invalid: 'The file cannot be named "{name}": it {reason}. Use a plain file name, or leave out the name.',
	name_taken: 'The folder for exports contains too many files with the name {name}. Use another name.',
	disk_full: 'The disk is full, so the export was deleted. Free disk space, or export fewer rows or columns.',
	changed: 'The file {path} was changed, moved or deleted after its export. Export the rows again.',
	hidden_since: 'The hidden columns of this connection have changed since the export. Export the rows again.',
	not_written: 'The export could not be written and was deleted: {reason}.',
})
