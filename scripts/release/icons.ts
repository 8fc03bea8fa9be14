import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Draws the icon at a width in pixels, as PNG. */
export type Draw = (width: number) => Buffer

/** Sizes of the entries in an ICNS file, by their type (Apple Icon Image format). */
const icnsTypes: readonly (readonly [type: string, width: number])[] = [
	['ic07', 128],
	['ic08', 256],
	['ic09', 512],
	['ic10', 1024],
]
const icoWidths = [16, 24, 32, 48, 64, 128, 256]
const linuxWidths = [16, 32, 48, 64, 128, 256, 512]

/** Writes the icons of the three systems into `folder`, all from one drawing. */
export async function writeIcons(draw: Draw, folder: string): Promise<void> {
	await mkdir(join(folder, 'icons'), { recursive: true })
	for (const width of linuxWidths) await writeFile(join(folder, 'icons', `${width}x${width}.png`), draw(width))
	await writeFile(join(folder, 'icon.icns'), icnsOf(draw))
	await writeFile(join(folder, 'icon.ico'), icoOf(draw))
}

function icnsOf(draw: Draw): Buffer {
	const entries = icnsTypes.map(([type, width]) => block(type, draw(width)))
	return block('icns', Buffer.concat(entries))
}

/** Four letters, the length with this head, and the content. */
function block(type: string, content: Buffer): Buffer {
	const head = Buffer.alloc(8)
	head.write(type, 'latin1')
	head.writeUInt32BE(8 + content.length, 4)
	return Buffer.concat([head, content])
}

/** An ICO file: a head of 6 bytes, 16 bytes for each image, then the images, which may be PNG. */
function icoOf(draw: Draw): Buffer {
	const images = icoWidths.map(width => ({ width, png: draw(width) }))
	const head = Buffer.alloc(6 + 16 * images.length)
	head.writeUInt16LE(1, 2)
	head.writeUInt16LE(images.length, 4)
	let offset = head.length
	for (const [index, { width, png }] of images.entries()) {
		const at = 6 + 16 * index
		// 0 stands for 256.
		head.writeUInt8(width % 256, at)
		head.writeUInt8(width % 256, at + 1)
		head.writeUInt16LE(1, at + 4)
		head.writeUInt16LE(32, at + 6)
		head.writeUInt32LE(png.length, at + 8)
		head.writeUInt32LE(offset, at + 12)
		offset += png.length
	}
	return Buffer.concat([head, ...images.map(({ png }) => png)])
}
