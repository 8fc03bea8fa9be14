import { defineErrors } from '../../base/errors.ts'

export const requestErrors = defineErrors('request', {
	variable_missing: 'There is no value for {names}. Give it one in the variables of this connection; nothing was run.',
	not_one_statement:
		'With its variables filled in, "{line}" is no longer one statement. Look at their values; nothing was run.',
	name_invalid: '"{name}" cannot be the name of a file: {reason}.',
	not_there: '{name} no longer exists.',
	no_file: '{name} is a link, or no plain file in the folder of the saved statements, so it is left alone.',
	not_text: '{name} is not written in UTF-8, so it is left alone. Save it as UTF-8 in the editor that it comes from.',
	too_large: '{name} is larger than a saved statement may be ({limit}).',
	exists: '{name} exists already.',
	changed: '{name} was changed on disk since you opened it.',
	folder_invalid: 'The folder for shared statements, {path}, cannot be used: {reason}.',
})

export const offerErrors = defineErrors('offer', {
	name_taken: 'There is a tool {name} already. Give this one another name.',
	cannot: 'This statement cannot be offered to AI clients: {reason}',
	changed: 'The statement was changed while you looked at it. Look at it again, then offer it.',
})
