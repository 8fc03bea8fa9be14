/** Values that are not plain printable ASCII travel wrapped (contract, "Required headers"). */
export function encodeHeaderValue(value: string): string {
	const isPlain = /^[\x20-\x7e]*$/.test(value) && value.trim() === value && !value.startsWith('=?base64?')
	return isPlain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`
}
