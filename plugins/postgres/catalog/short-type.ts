/** Types of columns in the short spelling that people write. Pure. */

/** Long and internal names, and the short ones. */
const names: readonly (readonly [pattern: RegExp, short: string])[] = [
	[/^character varying\b/, 'varchar'],
	[/^(?:character|bpchar)\b(?! varying)/, 'char'],
	[/^bit varying\b/, 'varbit'],
	[/^timestamp(\(\d\))? without time zone/, 'timestamp$1'],
	[/^timestamp(\(\d\))? with time zone/, 'timestamptz$1'],
	[/^time(\(\d\))? without time zone/, 'time$1'],
	[/^time(\(\d\))? with time zone/, 'timetz$1'],
	[/^int(?:eger|4)\b/, 'integer'],
	[/^int\b/, 'integer'],
	[/^int8\b/, 'bigint'],
	[/^int2\b/, 'smallint'],
	[/^bool\b/, 'boolean'],
	[/^decimal\b/, 'numeric'],
	[/^float8\b/, 'double precision'],
	[/^float4\b/, 'real'],
]

/** Returns a type in its short spelling. Names in quotes and parameters stay as they are. */
export function shortType(text: string): string {
	const trimmed = text
		.trim()
		.replace(/\s*\(\s*/g, '(')
		.replace(/\s*\)/g, ')')
		.replace(/\s*,\s*/g, ',')
	const plain = trimmed.includes('"') || trimmed.includes("'") ? trimmed : trimmed.toLowerCase().replace(/\s+/g, ' ')
	for (const [pattern, short] of names) if (pattern.test(plain)) return plain.replace(pattern, short)
	return plain
}
