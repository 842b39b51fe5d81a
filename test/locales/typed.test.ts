import { describe, expectTypeOf, it } from 'vitest'
import ja from '../../locales/ja.json' with { type: 'json' }
import ru from '../../locales/ru.json' with { type: 'json' }
import type { Catalog } from '../../src/locales/notices.js'
import {
  createWords,
  type Language,
  type NoticeKey,
  type NoticeLine,
  type NoticeVars,
} from '../../src/locales.js'

// These are checked by the compiler (`npm run check`): a wrong line here does not build.
describe('keys and variables', () => {
  it('are known to the compiler', () => {
    expectTypeOf<'header.cause.timeout'>().toExtend<NoticeKey>()
    expectTypeOf<'header.cause.nonsense'>().not.toExtend<NoticeKey>()
    expectTypeOf<'header.status.completed'>().not.toExtend<NoticeKey>()
    expectTypeOf<NoticeVars<'header.retry_in'>>().toEqualTypeOf<{ readonly seconds: number }>()
    expectTypeOf<NoticeVars<'part.counter'>>().toEqualTypeOf<{
      readonly part: number
      readonly total: number
    }>()
    expectTypeOf<{ total: number }>().not.toExtend<NoticeVars<'part.counter'>>()
    expectTypeOf<'xx'>().not.toExtend<Language>()
  })

  it('go together in a line', () => {
    expectTypeOf<{ key: 'header.retry_in'; vars: { seconds: number } }>().toExtend<NoticeLine>()
    expectTypeOf<{ key: 'header.retry_in'; vars: { seconds: string } }>().not.toExtend<NoticeLine>()
    expectTypeOf<{ key: 'header.retry_in'; vars: Record<string, never> }>().not.toExtend<NoticeLine>()
    expectTypeOf<{ key: 'file.title'; vars: { seconds: number } }>().not.toExtend<NoticeLine>()
    const say = createWords().say
    expectTypeOf(say<'header.retry_in'>)
      .parameter(2)
      .toEqualTypeOf<{ readonly seconds: number }>()
  })

  it('must all be in a catalog, with every plural form of its language', () => {
    expectTypeOf(ja).toExtend<Catalog<'ja'>>()
    expectTypeOf<Omit<typeof ja, 'file.title'>>().not.toExtend<Catalog<'ja'>>()
    expectTypeOf(ru).toExtend<Catalog<'ru'>>()
    expectTypeOf<Omit<typeof ru, 'repeated_few'>>().not.toExtend<Catalog<'ru'>>()
  })
})
