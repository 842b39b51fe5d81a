/** What the sample agents say. Written for the sandbox; no real project, person or incident. */

export const ANSWER_EN = `The build failed because the **\`orders\` integration test** ran against yesterday's schema.

1. Migration \`0042_add_invoice_state\` was merged at 22:10.
2. The nightly job had cached the database image at 21:30, so \`invoice_state\` was missing.
3. Every later step failed for the same reason; nothing else is broken.

I re-ran the job with a fresh image and it passed in 6 min 40 s. To keep it from coming back, the cache key should
include the migrations folder — [the change is one line](https://agents.example.com/changes/118).

Shall I open a pull request for it?`

export const ANSWER_ZH = `构建失败是因为 **\`orders\` 的集成测试**用了昨天的表结构。

1. 迁移 \`0042_add_invoice_state\` 在 22:10 合入。
2. 夜间任务在 21:30 缓存了数据库镜像，里面没有 \`invoice_state\` 这一列。
3. 后面的步骤都因此失败，没有别的问题。

我用新镜像重新跑了一次，6 分 40 秒通过。要避免再次发生，缓存键里应当加上迁移目录，[只改一行](https://agents.example.com/changes/118)。

需要我提一个合并请求吗？`

export const PARTIAL_EN = `I compared the last 30 nightly builds. So far:

- 24 passed, 6 failed, and 5 of the 6 failures share one cause: the cached database image.
- The slowest suite is \`reports\`, 3 min 12 s on average, and it has grown by a third since the start of the month.
- In the same period the number of retries`

export const PARTIAL_ZH = `我看了最近 30 次夜间构建，目前的结论：

- 24 次成功，6 次失败，其中 5 次原因相同：数据库镜像被缓存了。
- 最慢的是 \`reports\`，平均 3 分 12 秒，比月初慢了三分之一。
- 同一时期重试次数`

export const TIMEOUT_PARTIAL_EN = `The search is still running over the older logs. Nothing suspicious in the last 14 days.`
export const TIMEOUT_PARTIAL_ZH = `更早的日志还在搜索，最近 14 天没有发现异常。`

export const CODE_AND_TABLE = `Three suites take 80 % of the time:

| suite | tests | mean | share |
| --- | ---: | ---: | ---: |
| \`reports\` | 212 | 3 min 12 s | 47 % |
| \`orders\` | 148 | 1 min 31 s | 22 % |
| \`search\` | 95 | 45 s | 11 % |

\`reports\` is slow because every test makes its own schema. One template database for the file is enough:

\`\`\`ts
beforeAll(async () => {
  template = await createTemplate({ migrations: 'all' })
})

beforeEach(async () => {
  database = await template.clone() // 18 ms instead of 640 ms
})
\`\`\`

- [x] measured on the build machine
- [ ] tried with \`--maxWorkers 4\`

> Cloning needs \`CREATEDB\` for the test user; the build machine has it, laptops may not.`

const CHINESE_SECTIONS: readonly (readonly [string, string])[] = [
  [
    '背景',
    '过去四周夜间构建共失败了 11 次。失败的时间集中在凌晨一点到三点之间，值班同学通常要到早上才能看到告警，平均要花四十分钟确认原因。为了弄清楚问题是出在代码、环境还是流程上，我把每一次失败的日志、当时的镜像版本和合入记录放在一起逐条核对。',
  ],
  [
    '原因一：镜像缓存',
    '其中 7 次失败的原因相同：任务在晚上九点半缓存了数据库镜像，而之后合入的迁移没有让缓存失效。测试启动时读到的还是旧的表结构，于是第一条查询新列的用例就会失败，后面的步骤全部被跳过。日志里只显示“列不存在”，看起来像是代码写错了，所以每次都有人去检查代码。',
  ],
  [
    '原因二：时区',
    '有 2 次失败发生在月末。报表用例用本地时间计算“本月第一天”，而构建机使用的是协调世界时，两者相差八个小时。在每个月最后一天的晚上，用例会取到下个月的数据，总数自然对不上。把用例里的当前时间改成参数传入之后，这类失败就不会再出现。',
  ],
  [
    '原因三：外部服务',
    '剩下的 2 次是外部地图服务超时。用例直接访问了真实的接口，对方维护时我们就会失败。建议改为在本机启动一个替身服务，把十几种常见的返回保存下来，其中包括超时、限流和格式错误。这样既快又稳定，还能测到平时很难遇到的情况。',
  ],
  [
    '建议',
    '第一，缓存键里加上迁移目录的摘要，改动只有一行，可以解决大部分失败。第二，禁止在用例里读取系统时钟，统一从参数传入，可以加一条静态检查来保证。第三，给外部服务准备替身。三件事都不大，按顺序做，预计两天可以完成，其中第一件今天就可以上线。',
  ],
  [
    '风险',
    '缓存键变化之后，合入迁移的当晚会多花大约六分钟重新制作镜像，平时没有影响。静态检查一开始会报出四十多处旧代码，建议先只检查新增的文件，旧的分批修改。替身服务需要有人定期和真实接口对照一次，否则时间久了会不一致，可以安排每周自动跑一次对照任务。',
  ],
]

const SUITES = ['报表', '订单', '搜索', '账单', '权限', '通知', '导入']
const FINDINGS = [
  '启动时读到的是旧的表结构，第一条查询新列的用例失败，后面的步骤全部跳过。重新制作镜像之后再跑，一次通过。',
  '用例在等待后台任务时超时。任务其实已经完成，只是轮询间隔太长，正好错过了最后一次检查，把间隔改短后恢复正常。',
  '断言比较了两个浮点数，在新的编译器版本上末位不同。改为比较到分，结果稳定，已经连续跑了二十次没有再失败。',
  '测试数据里有重复的客户编号，随机种子变化后被选中。数据已经清理，并加上唯一约束，之后再出现会在导入时报错。',
  '外部接口返回了限流，用例没有重试。换成本机替身之后不再依赖网络，同时补上了限流和超时两种返回的用例。',
]
const FOLLOW_UPS = [
  '已修复并合入。',
  '修复在评审中，预计明天合入。',
  '暂时跳过，已建任务跟踪。',
  '观察一周，没有再出现。',
]

/** One night each; every entry differs, so that a lost or repeated part is seen at once. */
function nightlyRecord(night: number): string {
  const suite = SUITES[night % SUITES.length]
  const minutes = 5 + ((night * 7) % 23)
  const title = `### 第 ${night} 晚：${suite}，用时 ${minutes} 分钟`
  const finding = FINDINGS[(night * 3) % FINDINGS.length]
  return `${title}\n\n编号 ${4000 + night * 13} 的构建。${finding}${FOLLOW_UPS[night % FOLLOW_UPS.length]}`
}

const NIGHTS = 110

/** About 10 000 characters with headings, lists and a table: more than one message on either platform. */
export function longChinese(): string {
  const sections = CHINESE_SECTIONS.map(([title, text]) => `## ${title}\n\n${text}`)
  const records = Array.from({ length: NIGHTS }, (_, index) => nightlyRecord(index + 1))
  return ['# 夜间构建失败分析', SUMMARY_TABLE, ...sections, '## 逐晚记录', ...records, CLOSING].join('\n\n')
}

const SUMMARY_TABLE = `| 原因 | 次数 | 处理办法 |
| --- | ---: | --- |
| 镜像缓存 | 7 | 缓存键加上迁移目录 |
| 时区 | 2 | 时间由参数传入 |
| 外部服务 | 2 | 使用替身服务 |`

const CLOSING = `## 下一步

1. 今天：修改缓存键，并重新跑一次昨晚的任务。
2. 明天：加上静态检查，先只看新文件。
3. 本周内：替身服务上线，**关闭**对真实接口的访问。

如果同意，我现在就提交第一项改动。`
