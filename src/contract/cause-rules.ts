import type { Cause } from './decision.js'

/** A status code that is not part of a longer number, of a decimal, or a count of something. */
function statusCode(codes: string): RegExp {
  return new RegExp(
    `(?<![\\d.,])(?:${codes})(?![\\d]|[.,]\\d|\\s*(?:tokens?|ms|s|seconds?|bytes?|chars?|lines?|items?)\\b)`,
  )
}

/**
 * Words that tell a cause, in order: the first rule with a match decides. Read against lower-case text in which `_` and
 * `-` are spaces. More specific causes stand before those whose words they also contain.
 */
const RULES: readonly { readonly cause: Cause; readonly patterns: readonly RegExp[] }[] = [
  {
    cause: 'turn_limit',
    patterns: [
      /\b(?:max(?:imum)?|too many) (?:number of )?(?:turns?|steps|iterations|tool rounds)\b/,
      /\bmax turn requests\b/,
      /\b(?:turn|iteration|step|recursion) limit\b/,
    ],
  },
  {
    cause: 'output_limit',
    patterns: [
      /\bmax(?:imum)? output tokens?\b/,
      /\boutput (?:token )?(?:limit|maximum|cap)\b/,
      /\boutput token maximum\b/,
      /^(?:length|max tokens)$/,
      /\bfinish reason[:=" ]+length\b/,
    ],
  },
  {
    cause: 'context_window',
    patterns: [
      /\bcontext (?:window|length|limit|size)\b/,
      /\bcontext (?:is |was )?(?:too (?:large|long)|exhausted|overflow(?:ed)?|exceeded|full)\b/,
      /\b(?:prompt|input|conversation|request) (?:is |was )?too (?:long|large)\b/,
      /\bmax model len\b/,
      /\binput(?:s)? token (?:length|count)\b/,
      /\bmaximum (?:context|number of input tokens|prompt length)\b/,
      /\breduce the length of the (?:messages|prompt|input)\b/,
      /\btoo many (?:input )?tokens\b(?! per)/,
      /上下文(?:长度|窗口|过长|超)/,
    ],
  },
  {
    cause: 'provider_auth',
    patterns: [
      statusCode('401|403'),
      /\bunauthori[sz]ed\b/,
      /\bunauthenticated\b/,
      /\bforbidden\b/,
      /\bauthentication\b/,
      /\b(?:invalid|incorrect|missing|expired|revoked|no) (?:x )?api ?key\b/,
      /\bapi key (?:is |was |not |has )?(?:invalid|expired|missing|required|not|been)\b/,
      /\bpermission (?:error|denied error)\b/,
      /^permission denied$/,
      /\bnot logged in\b/,
      /\bplease (?:run \/?login|log ?in)\b/,
      /\b(?:oauth|access|refresh|bearer) token (?:is |has |was )?(?:expired|invalid|revoked|missing|been)\b/,
      /\binvalid credentials?\b/,
      /\bprovider auth\b/,
      /\bmissing config\b/,
    ],
  },
  {
    cause: 'provider_quota',
    patterns: [
      statusCode('402'),
      /\bquota\b/,
      /\bcredits?\b(?=.*\b(?:balance|exhaust\w*|insufficient|low|out|deplet\w*|limit|remaining|needed?|required?)\b)/,
      /\b(?:insufficient|out of|no|not enough|more) (?:credits?|funds|balance)\b/,
      /\bbilling\b/,
      /\bpayment required\b/,
      /\b(?:usage|spend(?:ing)?|session|daily|weekly|monthly|5 hour|hourly) limit\b/,
      /\bbudget\b/,
      /\busage limit exceeded\b/,
      /余额不足|欠费|配额/,
    ],
  },
  {
    cause: 'provider_overload',
    patterns: [
      statusCode('429|529'),
      /\boverload(?:ed)?\b/,
      /\brate ?limit(?:s|ed|ing)?\b/,
      /\btoo many requests\b/,
      /\btokens per (?:min|minute|day|second)\b/,
      /\bthrottl/,
      /\bresource (?:has been )?exhausted\b/,
      /\b(?:at|over|no|insufficient|provider) capacity\b/,
    ],
  },
  {
    cause: 'model_unavailable',
    patterns: [
      /\bmodel(?:s)?\b[^.\n]{0,80}\b(?:not found|does not exist|do(?:es)? not have access|not available|unavailable|not supported|unsupported|deprecated|decommissioned|retired)\b/,
      /\b(?:unknown|invalid|unsupported|no such) model\b/,
      /\bno access to (?:the )?model\b/,
    ],
  },
  {
    cause: 'refused',
    patterns: [
      /\bcontent (?:filter|policy|management policy|moderation)\b/,
      /\b(?:usage|safety) policy\b/,
      /\bsafety (?:system|filter|guidelines)\b/,
      /^(?:refusal|refused|blocked|safety|cyber policy)$/,
    ],
  },
  {
    cause: 'unreadable_output',
    patterns: [
      /\bempty or unparseable\b/,
      /\b(?:unparse?able|unreadable|malformed|undecodable)\b/,
      /\b(?:could not|cannot|failed to|unable to) (?:be )?(?:parse|decode|read)\b/,
      /\binvalid json\b/,
      /\bunexpected (?:token|end of json)\b/,
      /\bstdout read error\b/,
      /\bwithout terminal result\b/,
      /\binvalid success\b|\bmissing result\b/,
    ],
  },
  {
    cause: 'empty_response',
    patterns: [
      /\bempty (?:model )?(?:response|output|reply|answer|message)\b/,
      /\b(?:no|without) (?:response|output|content|text) (?:was )?(?:generated|returned|produced|received)\b/,
      /\breturned (?:no|an? empty) (?:content|output|response|text)\b/,
    ],
  },
  {
    cause: 'runtime_offline',
    patterns: [
      /\b(?:runtime|runner|worker|daemon|agent|host|machine|computer)(?: is| was| went| has gone| gone)? (?:offline|unreachable|disconnected|lost|not running|recovery)\b/,
      /\b(?:missed|lost) heartbeats?\b|\bheartbeat (?:lost|missed|timeout|timed out)\b/,
      /\bno (?:runtime|runner|worker)s? (?:is |are )?(?:available|online|connected)\b/,
    ],
  },
  {
    cause: 'provider_server',
    patterns: [
      statusCode('50[0-9]|52[0-8]'),
      /\binternal (?:server )?error\b/,
      /\bserver error\b/,
      /\bbad gateway\b/,
      /\bservice (?:is )?(?:temporarily )?unavailable\b/,
      /\bgateway time ?out\b/,
      /\bapi error\b/,
    ],
  },
  {
    cause: 'provider_network',
    patterns: [
      /\bconnection (?:was |is )?(?:closed|reset|refused|error|aborted|lost|terminated|failed|timed out)\b/,
      /\be(?:connreset|connrefused|connaborted|timedout|notfound|ai again|pipe|hostunreach|netunreach)\b/,
      /\bsocket (?:hang up|closed|error)\b/,
      /\bfetch failed\b/,
      /\bnetwork\b/,
      /\bdns\b|\bgetaddrinfo\b|\bno such host\b/,
      /\bmid ?response\b|\bmid ?stream\b/,
      /\bdeadline exceeded\b/,
      /\b(?:tls|ssl) (?:handshake|error)\b|\bcertificate\b/,
      /\b(?:stream|response)(?: was| stream)? (?:failed|disconnected|interrupted|cut|closed|terminated|connection failed)\b/,
      /\bunreachable\b/,
    ],
  },
  { cause: 'timeout', patterns: [/\btimed out\b/, /\btime ?out\b/, /\bidle watchdog\b/, /\bdeadline\b/] },
  {
    cause: 'cancelled',
    patterns: [/^(?:request |operation |execution |run |task )?(?:was )?(?:cancell?ed|aborted)\b/],
  },
]

/** The cause that words of a code or an error text tell; null when none is recognised. */
export function matchCauseText(text: string): Cause | null {
  // Longer than any error message that helps: bounds the work on a dump.
  const words = text.slice(0, 16_384).toLowerCase().replace(/[_-]/g, ' ')
  return RULES.find((rule) => rule.patterns.some((pattern) => pattern.test(words)))?.cause ?? null
}
