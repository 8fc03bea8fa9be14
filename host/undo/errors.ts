import { defineErrors } from '../../base/errors.ts'

export const undoErrors = defineErrors('undo', {
	gone: 'What this change replaced is not kept any more, so it cannot be undone.',
	moved: 'The connection "{name}" leads to another place than at the change, so nothing was undone.',
	nothing: 'Nothing of this change can be undone: {reason}',
	not_marked: 'That it is undone could not be stored, so nothing was undone: {reason}',
	outdated: 'What the undo would do has changed since you looked at it. Look at it again.',
	unreadable: 'What this change replaced cannot be read: {reason}',
})
