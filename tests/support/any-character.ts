import fc from 'fast-check'

/**
 * Any code point but halves of surrogate pairs. fast-check's unit `binary` is the same, but each process first maps all
 * 1,112,064 of them.
 */
export const anyCharacter = fc
	.integer({ min: 0, max: 0x10ffff })
	.map(code => String.fromCodePoint(code))
	.filter(character => character.isWellFormed())
