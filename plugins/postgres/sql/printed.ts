/** Types whose cast to text is what the server prints. */
const castsAsPrinted = new Set(
	'text varchar citext name json jsonb xml uuid int2 int4 int8 float4 float8 numeric oid date timestamp timestamptz'.split(
		' ',
	),
)

/**
 * Returns SQL of the text that the server prints for a value. A cast to text differs: it adds a mask to an `inet`, removes
 * the blanks of a `char(10)`, spells a boolean, and may be a function of the user. `concat` prints, but has no NULL.
 * @param base name of the base type in pg_type
 */
export function printed(value: string, base: string): string {
	return castsAsPrinted.has(base) ? `${value}::text` : `case when num_nulls(${value}) = 0 then concat(${value}) end`
}
