import type { ColumnType } from 'kysely'

/** A jsonb column: read as its value, written as text. */
export type Json<T> = ColumnType<T, string, string>
/** A point in time. */
export type Moment = ColumnType<Date, Date | string, Date | string>
/** A point in time that the database fills in. */
export type Defaulted = ColumnType<Date, Date | string | undefined, Date | string>
