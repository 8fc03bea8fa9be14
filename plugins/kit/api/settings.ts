/** A value of the connection form. Lists are text with commas, as the user types them. */
export type SettingValue = string | number | boolean

/** Values of the connection form, by the key of the field. A `file` field contains the text of the file. */
export type Settings = Readonly<Record<string, SettingValue>>
