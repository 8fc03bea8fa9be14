import { defineErrors } from '../base/errors.ts'

export const exportErrors = defineErrors('export', {
	no_folder: 'No folder for exports is chosen. The user chooses one in Roundhouse: Settings, AI access, Exports.',
	folder_invalid:
		'The folder for exports, {path}, cannot be used: {reason}. The user chooses it in Settings, AI access.',
	name_invalid: 'The file cannot be called "{name}": it {reason}. Give a plain name, or none.',
	name_taken: 'The folder for exports holds too many files of the name {name}. Give another one.',
	disk_full: 'There is no room for the export on the disk, so nothing of it was kept. Export fewer rows or columns.',
	not_written: 'The export could not be written, so nothing of it was kept: {reason}.',
})
