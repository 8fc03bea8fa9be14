/** Levels of `logging/setLevel` in the legacy revisions. */
export const logLevels: readonly unknown[] = [
	'debug',
	'info',
	'notice',
	'warning',
	'error',
	'critical',
	'alert',
	'emergency',
]

export const logLevelRule = `\`level\` is one of: ${logLevels.join(', ')}.`
