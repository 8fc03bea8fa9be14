import { defineErrors } from '../../base/errors.ts'

export const importErrors = defineErrors('import', {
	not_offered: '{driver} does not import rows of files.',
	conflict_unknown: '{driver} cannot {conflict} rows whose key exists.',
	column_unknown: 'The table {table} has no column "{column}" that takes values.',
	encoding: 'Line {line} is not UTF-8. Save the file as UTF-8, then try again.',
	malformed: 'Line {line}: {reason}. The rest of the file cannot be read.',
	too_long: 'The row in line {line} has more than {limit} characters.',
	too_wide: 'The file has more than {limit} columns. If it has fewer, another delimiter may separate them.',
	changed: 'The file has another size than when it was chosen. Choose it again.',
	over: 'This import is over.',
	nothing_imported: 'Nothing was imported, because all rows are imported together and one failed.',
	too_many_faults: 'It was stopped, because {count} rows were not imported.',
	too_large_whole:
		'{driver} saves all rows together or none, up to {rows} rows and {size} MB. This file has more. Split it.',
})
