const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** A size as people read it: `812 bytes`, `1.4 MB`. */
export function bytes(size: number): string {
	let unit = 0
	let value = size
	while (value >= 1000 && unit < units.length - 1) {
		value /= 1000
		unit++
	}
	return `${unit === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`
}

const plain = new Intl.NumberFormat('en-US')

/** A count with its thousands parted; `1,000+` where there are more. */
export function count(value: number, isExact = true): string {
	return `${plain.format(value)}${isExact ? '' : '+'}`
}

/** `1 index`, `3 indices`. */
export function counted(value: number, noun: { readonly one: string; readonly many: string }): string {
	return `${count(value)} ${(value === 1 ? noun.one : noun.many).toLowerCase()}`
}

/** `Account`, of `account`. */
export function capital(word: string): string {
	return word.charAt(0).toUpperCase() + word.slice(1)
}

/** `a row`, `an account`. */
export function oneOf({ one }: { readonly one: string }): string {
	return `${/^[aeiou]/i.test(one) ? 'an' : 'a'} ${one}`
}
