/** Syllables and the characters they stand for, the common ones first; and a few words of daily life. */

const SYLLABLES = `
a啊阿呵 ai爱哎艾矮碍哀唉 an安按案暗岸 ang昂 ao奥澳熬傲
ba把八吧爸巴拔罢霸 bai百白败拜摆柏 ban办半班般板版搬伴 bang帮棒邦绑榜 bao报包保抱宝饱薄爆 bei被北备背杯倍贝悲辈 ben本奔笨 beng崩蹦泵 bi比必笔币毕闭避鼻逼 bian边变便遍编辩 biao表标彪 bie别憋 bin宾滨彬 bing并病兵冰饼 bo波播伯博玻拨 bu不部步布补
ca擦 cai才菜采财材猜彩踩 can参餐残惨 cang藏仓苍 cao草操曹 ce册测策侧厕 ceng层曾 cha查茶差插察叉 chai拆柴 chan产缠铲 chang长常场厂唱尝 chao超朝吵抄炒潮 che车彻撤 chen陈晨沉趁衬 cheng成城程称承乘诚 chi吃持迟尺池赤 chong重冲虫充 chou抽愁丑臭 chu出处初除楚厨 chuai揣 chuan传船穿川 chuang床窗创闯 chui吹垂 chun春纯唇 chuo戳 ci次此词磁辞 cong从聪匆葱 cou凑 cu粗促醋 cuan窜 cui催脆 cun村存寸 cuo错措
da大打达答搭 dai带代待袋戴呆 dan但单担蛋淡弹 dang当党挡 dao到道导刀倒岛 de的得地德 dei得 deng等灯登邓 di地第底低弟递敌 dian点电店典垫 diao调掉钓吊 die跌爹叠蝶 ding定顶订丁盯 diu丢 dong东动懂冬洞冻 dou都斗豆抖 du度读独都毒肚 duan段断短端 dui对队堆 dun顿吨蹲盾 duo多夺朵躲
e饿额恶俄 en恩嗯 er二而儿耳
fa发法罚 fan反饭范翻烦犯番 fang方放房防访仿 fei非费飞肥废 fen分份粉奋纷 feng风封丰疯峰锋 fo佛 fou否 fu服复父付负福夫富府副附
ga嘎 gai该改概盖 gan干感敢赶肝甘 gang刚钢港岗 gao高告搞稿 ge个各歌哥格隔革 gei给 gen跟根 geng更耕 gong工公共功供宫 gou够狗购沟 gu古故顾固股骨谷 gua挂瓜刮 guai怪乖拐 guan关管观官馆惯 guang光广逛 gui贵鬼规归柜 gun滚 guo国过果锅
ha哈 hai还海孩害 han汉喊含寒汗 hang行航杭 hao好号毫 he和合喝河何贺核 hei黑嘿 hen很恨狠 heng横衡 hong红洪虹 hou后候厚猴 hu湖户护互忽胡呼虎 hua话花华化画划 huai坏怀 huan还换欢环缓 huang黄皇慌 hui会回灰汇挥惠 hun婚混昏 huo或活火货获
ji几机记己及级计季急继寄鸡集极 jia家加假价架夹甲 jian见间件建简坚减健 jiang将讲江降奖 jiao叫教交角较脚觉 jie接结姐节解借街界介 jin进今近金尽紧仅 jing经京精静警景镜竞 jiong窘 jiu就九久酒旧救 ju句局具举据居剧 juan卷捐 jue觉决绝 jun军均君
ka卡咖 kai开凯 kan看刊砍 kang康抗扛 kao考靠烤 ke可课客科刻克渴 ken肯 keng坑 kong空控孔恐 kou口扣 ku苦哭酷库裤 kua跨夸 kuai快块筷 kuan款宽 kuang况矿狂 kui亏愧 kun困昆 kuo扩括阔
la拉啦辣 lai来赖 lan蓝兰篮烂懒 lang浪郎狼 lao老劳牢 le了乐 lei类累雷泪 leng冷 li里理力利李立离历礼丽 lia俩 lian连脸练联莲 liang两量亮凉辆粮 liao了料聊疗 lie列烈裂 lin林临邻 ling零领另灵铃 liu六流留刘柳 long龙隆 lou楼漏 lu路录绿陆鲁 luan乱 lun论轮 luo落罗 lv绿旅律 lve略
ma吗妈马麻骂 mai买卖麦 man满慢 mang忙盲 mao毛猫帽冒 me么 mei没每美妹 men们门 meng梦蒙猛 mi米密迷蜜 mian面免棉 miao秒妙苗 mie灭 min民敏 ming明名命 miu谬 mo没莫磨模末 mou某 mu母木目
na那拿哪 nai奶耐 nan男南难 nang囊 nao脑闹 ne呢 nei内那 nen嫩 neng能 ni你呢泥尼拟逆 nian年念 niang娘 niao鸟 nie捏 nin您 ning宁 niu牛 nong农弄 nu努怒 nuan暖 nuo诺 nv女
o哦 ou欧偶
pa怕爬 pai排拍牌派 pan盘判盼 pang旁胖 pao跑泡炮 pei配陪 pen盆喷 peng朋碰 pi皮批匹 pian片篇骗 piao票漂 pin品拼 ping平评苹瓶 po破婆 pu普铺
qi起其七气期奇骑妻齐 qia恰 qian前钱千签欠 qiang强墙抢 qiao桥巧敲 qie切且 qin亲琴勤 qing请情青清轻晴 qiong穷 qiu球求秋 qu去取区曲 quan全权圈劝 que却确缺 qun群裙
ran然染 rang让 rao绕 re热 ren人认任 reng仍 ri日 rong容荣 rou肉 ru如入 ruan软 rui瑞 run润 ruo若弱
sa洒撒 sai赛 san三散 sang桑 sao扫 se色 sen森 sha沙杀啥 shai晒 shan山善闪 shang上商伤 shao少烧 she设社射舍 shei谁 shen身什深神 sheng生声省胜升 shi是时事市十实使师食始室试 shou手收受首 shu书数树输属 shua刷 shuai帅摔 shuan拴 shuang双爽 shui水睡谁税 shun顺 shuo说 si四思死司 song送松 sou搜 su诉速苏宿 suan算酸 sui岁随虽 sun孙 suo所锁
ta他她它塔踏 tai太台态 tan谈弹摊 tang汤糖躺 tao套讨桃 te特 teng疼 ti题提体 tian天田甜 tiao条跳 tie铁贴 ting听停庭 tong同通痛 tou头投偷 tu图土突 tuan团 tui推退腿 tun吞 tuo脱托
wa哇挖 wai外 wan完万晚玩碗 wang王网往忘望 wei为位未微围味喂 wen问文温 weng翁 wo我握 wu五无物午屋
xi西息系希喜习洗 xia下夏吓 xian先现线县险 xiang想向相像香 xiao小笑校消晓 xie写些谢鞋 xin新心信 xing行性星姓兴 xiong兄雄 xiu修休秀 xu需许续须 xuan选宣 xue学雪 xun寻训
ya呀压牙 yan眼言烟研盐 yang样阳羊养 yao要药摇 ye也业夜叶 yi一以意医已衣易亿 yin因音银 ying应英影迎 yo哟 yong用永 you有又友油由 yu鱼雨语与于玉 yuan元远员原院 yue月越约 yun云运
za杂 zai在再 zan咱赞 zang脏 zao早造找 ze则责 zei贼 zen怎 zeng增 zha炸 zhai宅 zhan站占展 zhang张长章 zhao找照招 zhe这者着 zhei这 zhen真镇针 zheng正整证 zhi之只知直纸值 zhong中种重钟 zhou周州粥 zhu住主注祝 zhua抓 zhuan转专 zhuang装状 zhui追 zhun准 zhuo桌捉 zi自子字 zong总 zou走 zu足组 zuan钻 zui最嘴 zun尊 zuo做作坐左昨
`;

const WORDS = `
nihao你好 xiexie谢谢 zaijian再见 mingtian明天 jintian今天 zuotian昨天 houtian后天 xianzai现在 shijian时间 shijie世界 zaoshang早上 wanshang晚上 zhongwu中午 xiawu下午 shangwu上午
women我们 nimen你们 tamen他们 pengyou朋友 laoshi老师 mama妈妈 baba爸爸 jiejie姐姐 didi弟弟 gege哥哥 meimei妹妹 yeye爷爷 nainai奶奶
dianhua电话 shouji手机 duanxin短信 naozhong闹钟 bianqian便签 rili日历 shezhi设置 tianqi天气 tongxunlu通讯录
gongzuo工作 gongsi公司 huiyi会议 kaihui开会 xuexi学习 xuexiao学校 zuoye作业 kaoshi考试 shangban上班 xiaban下班 qichuang起床 shuijiao睡觉 paobu跑步 yundong运动 duanlian锻炼
chifan吃饭 zaofan早饭 wufan午饭 wanfan晚饭 niunai牛奶 mianbao面包 jidan鸡蛋 pingguo苹果 xiangjiao香蕉 kafei咖啡 shuiguo水果 shucai蔬菜 chaoshi超市 maicai买菜
beijing北京 shanghai上海 guangzhou广州 shenzhen深圳 hangzhou杭州 chengdu成都 zhongguo中国 lundun伦敦 bali巴黎 dongjing东京 niuyue纽约
shengri生日 kuaile快乐 xinnian新年 zhoumo周末 xingqi星期 jihua计划 qingdan清单 gouwu购物 jizhang记账 beiwang备忘 tixing提醒 zhongyao重要 meiyou没有 keyi可以 shenme什么 zenme怎么 weishenme为什么 haode好的 bukeqi不客气 duibuqi对不起 meiguanxi没关系
`;

function read(table: string): { [letters: string]: string } {
  const out: { [letters: string]: string } = {};
  for (const entry of table.split(/\s+/).filter(Boolean)) {
    const letters = /^[a-z]+/.exec(entry)?.[0] ?? '';
    out[letters] = entry.slice(letters.length);
  }
  return out;
}

/** `ni` -> the characters read so, as one string. */
export const CHARACTERS = read(SYLLABLES);

/** `nihao` -> the word. */
export const PHRASES = read(WORDS);
