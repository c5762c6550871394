"""Name lists of our own. Small enough for a small tokenizer, combined to many people; no real person is meant."""


def _spelled(text: str) -> dict[str, str]:
    return dict(pair.split(":") for pair in text.split())


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split())


GIVEN_EN = _listed(
    """
    Ada Alba Anselm Arlo Astrid Basil Bea Blythe Bram Briar Caleb Cleo Cora Cyril Dara Della Edda Edwin Elio
    Elsa Enid Ezra Faye Felix Fern Gideon Greta Hal Hazel Hugo Ida Ines Iris Ivo Jasper Juno Kit Lark Leo Linus
    Lotte Mabel Marlo Mina Nell Noor Odette Olive Orin Otis Pearl Perry Quill Remy Rosa Rufus Sage Silas Tess
    Theo Una Vera Wren Zadie
    """
)
FAMILY_EN = _listed(
    """
    Alderby Ambrel Arkwell Askham Barrowell Birchley Blackmere Bramhall Brindle Cawthorn Coldbeck Copperley
    Corwell Dellmar Dunmarsh Elmhurst Elwick Fairlow Fenwright Finchley Garrowby Glenmoor Greyson Hadlow
    Halloway Harwick Hazelden Hollin Ibbotson Inglewood Jessop Kelderby Kestrel Lambourn Larkham Linwood Lorne
    Marlow Merriden Millward Netherby Northcote Oakshott Orchard Pellow Penrose Quarrie Ravensby Redfern
    Rookwood Saltley Sedgewick Stonebridge Tarrant Thistlewood Underhill Varley Wainfleet Westerly Windrow
    """
)
NICKNAMES_EN = _listed(
    """
    Biscuit Button Captain Chief Doodle Flash Ginger Lefty Moss Peanut Pip Rocket Scout Sunny
    """
)

# Hanzi and how they are spelled in mail addresses.
FAMILY_ZH = _spelled(
    """
    安:an 白:bai 柏:bai 蔡:cai 岑:cen 常:chang 程:cheng 褚:chu 丁:ding 杜:du 范:fan 方:fang 冯:feng 傅:fu 葛:ge
    顾:gu 管:guan 韩:han 何:he 洪:hong 侯:hou 胡:hu 华:hua 江:jiang 姜:jiang 蒋:jiang 金:jin 康:kang 孔:kong
    蓝:lan 黎:li 梁:liang 廖:liao 林:lin 凌:ling 柳:liu 卢:lu 陆:lu 罗:luo 骆:luo 孟:meng 苗:miao 倪:ni 潘:pan
    彭:peng 钱:qian 秦:qin 沈:shen 石:shi 宋:song 苏:su 孙:sun 谭:tan 汤:tang 陶:tao 田:tian 温:wen 夏:xia
    谢:xie 许:xu 薛:xue 严:yan 叶:ye 余:yu
    """
)
GIVEN_ZH = _spelled(
    """
    安澜:anlan 柏舟:baizhou 采薇:caiwei 晨曦:chenxi 初夏:chuxia 丹青:danqing 冬青:dongqing 泛舟:fanzhou
    芳草:fangcao 谷雨:guyu 海棠:haitang 寒松:hansong 鹤鸣:heming 红豆:hongdou 怀谷:huaigu 霁月:jiyue 嘉木:jiamu
    江帆:jiangfan 锦书:jinshu 静舒:jingshu 居安:juan 乐山:leshan 立夏:lixia 林溪:linxi 凌霄:lingxiao
    流萤:liuying 鹿鸣:luming 曼青:manqing 茂林:maolin 明溪:mingxi 木樨:muxi 南乔:nanqiao 念慈:nianci
    宁远:ningyuan 沛霖:peilin 青禾:qinghe 清和:qinghe 秋实:qiushi 如意:ruyi 若水:ruoshui 山岚:shanlan
    书瑶:shuyao 思源:siyuan 松涛:songtao 素心:suxin 天晴:tianqing 望舒:wangshu 微雨:weiyu 文竹:wenzhu
    夕颜:xiyan 向晚:xiangwan 小满:xiaoman 星野:xingye 修远:xiuyuan 雪汀:xueting 雁回:yanhui 以宁:yining
    映雪:yingxue 雨桐:yutong 云起:yunqi 知秋:zhiqiu 竹君:zhujun
    """
)
NICKNAMES_ZH = _listed(
    """
    阿福 豆豆 老班 小胖 团子 可可 大壮 点点 小鱼 果果 木木 阿宝 球球 小北
    """
)
