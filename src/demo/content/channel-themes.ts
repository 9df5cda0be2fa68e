/** The subject of a generated channel. `topic` selects its videos; `size` is their number. */
export type ChannelTheme = readonly [name: string, description: string, topic: string, size: number];

const LONG = `${'Everything we recorded on the road this year, from the keynote in the big hall to the small talks upstairs. '.repeat(2)}Sound may vary; slides are linked below every video.`;

const THEMES: readonly ChannelTheme[] = [
  ['Webinars 2026', 'Live sessions of this year, newest first.', 'webinar-2026', 24],
  ['Webinars 2025', 'All sessions of 2025.', 'webinar-2025', 28],
  ['Webinars 2024 – Spring', 'Sessions from March to May 2024.', 'webinar-2024', 12],
  ['Webinars 2024 – Autumn', 'Sessions from September to November 2024.', 'webinar-2024', 14],
  ['Webinars 2024 – Best of', 'The most watched sessions of 2024.', 'webinar-2024', 8],
  ['Product Tour', 'See the whole product in ten minutes.', 'tour', 9],
  ['Customer Stories', 'How teams use it, in their own words.', 'story', 18],
  ['Customer Stories', 'Kundenberichte aus Deutschland, Österreich und der Schweiz.', 'story', 11],
  ['Onboarding', 'First week, first project, first success.', 'onboarding', 16],
  ['Onboarding for admins', 'Users, roles and billing.', 'onboarding', 7],
  ['Release Notes', 'What is new, month by month.', 'release', 22],
  ['Legacy Player Help', 'Help for the old player. No longer maintained.', 'legacy', 10],
  ['Internal: All-hands', 'Not for publication.', 'internal', 15],
  ['Internal: Sales Enablement', 'Pitches, objections, battle cards.', 'internal', 13],
  ['How-to', 'Short answers to frequent questions.', 'howto', 40],
  ['Academy: Basics', 'Course in eight lessons.', 'training', 8],
  ['Academy: Advanced', 'Course in twelve lessons.', 'training', 12],
  ['Academy: Certification', 'Preparation for the exam.', 'training', 10],
  ['Summit 2025', LONG, 'event', 26],
  ['Summit 2026', 'Keynotes and sessions.', 'event', 20],
  ['Événements', 'Conférences et démonstrations en français.', 'event', 6],
  ['Schulungen für Händler', 'Größe, Maße & Übergaben – alles für den Handel.', 'training', 9],
  ['製品紹介', '製品の使い方を動画でご紹介します。', 'tour', 5],
  ['网络研讨会', '中文网络研讨会合集。', 'webinar-2025', 6],
  ['튜토리얼', '처음 시작하는 분들을 위한 안내.', 'howto', 5],
  ['شرح المنتج', 'مقاطع قصيرة تشرح المنتج خطوة بخطوة.', 'tour', 4],
  ['הדרכות', 'סרטוני הדרכה בעברית.', 'howto', 4],
  ['Обучение партнёров', 'Материалы для партнёров.', 'training', 6],
  ['🎬 Behind the scenes', 'How we film 🎥 what we film.', 'story', 7],
  ['👩‍💻 Developer Corner 🚀', 'APIs, SDKs, webhooks.', 'howto', 14],
  ['"Ask Me Anything"', 'Quotes "kept" as they were typed.', 'webinar-2026', 8],
  ["Founder's Diary", "It's personal.", 'story', 9],
  ['R&D <preview>', 'Early looks at what may come.', 'release', 5],
  ['50% off: campaign', 'Spots for the autumn campaign; paid & organic.', 'campaign', 6],
  ['Q1/Q2 Recaps', 'Two quarters a year.', 'internal', 4],
  ['a', 'One-letter name.', 'howto', 2],
  ['Partner Spotlight', '', 'story', 10],
  ['Press', 'For journalists.', 'campaign', 5],
  ['Social Clips', 'Vertical, under a minute.', 'campaign', 30],
  ['Launch: Aurora', 'The launch film and its cuts.', 'campaign', 6],
  ['Launch: Borealis', 'Coming soon.', 'campaign', 3],
  ['Support Answers', 'The ten questions we get most.', 'howto', 10],
  ['Accessibility', 'Captions, keyboards, contrast.', 'howto', 6],
  ['Security & Privacy', 'What we do to keep videos safe.', 'howto', 5],
  ['Careers', 'Work with us.', 'story', 8],
  ['Interviews', 'Long conversations.', 'story', 12],
  ['Live Replays', 'Streams, uncut.', 'event', 18],
  ['Workshops', 'Hands on.', 'training', 15],
  ['Integrations', 'Connect it with your tools.', 'howto', 12],
  ['Analytics Masterclass', 'Reading the numbers.', 'training', 7],
  ['Marketing Playbook', 'Plays that worked.', 'webinar-2025', 9],
  ['Retail', 'For shops.', 'story', 6],
  ['Healthcare', 'For clinics and practices.', 'story', 6],
  ['Education', 'For schools and universities.', 'story', 7],
  ['Public Sector', 'For administrations.', 'story', 4],
  ['Nordics', 'På svenska, norsk og dansk.', 'event', 8],
  ['LATAM', 'En español y português.', 'event', 9],
  ['Archive: old demos', 'Kept for reference.', 'legacy', 12],
  ['Test channel – do not use', '   ', 'internal', 2],
  ['Zürich Team', 'Grüezi!', 'internal', 3],
];

const TOPICS = ['howto', 'story', 'event', 'training', 'webinar-2026', 'campaign'] as const;

export function channelTheme(index: number): ChannelTheme {
  const topic = TOPICS[index % TOPICS.length] ?? 'howto';
  return THEMES[index] ?? [`Series ${index + 1}: ${topic}`, `Generated series number ${index + 1}.`, topic, 3 + (index % 9)];
}
