// SPDX-License-Identifier: BSD-2-Clause
// Oracle: XML 1.0, worked out by hand.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/files/xml.h>

namespace stiction {
namespace {

TEST(Xml, ElementsKnowTheirLine) {
  const Xml document = parse_xml(
      "<?xml version='1.0'?>\n<!-- a\n b -->\n<a x='1'\n   y=\"2\">\n <b/> text <![CDATA[<&]]>\n</a>", "f.xml");
  const Xml& a = xml_root(document, "a", "f.xml");
  EXPECT_EQ(a.place(), "f.xml:4");
  EXPECT_EQ(child(a, "b")->line(), 6);
  EXPECT_EQ(attribute(a, "x"), "1");
  EXPECT_EQ(attribute(a, "y"), "2");
  EXPECT_EQ(a.data(), "text <&");
  EXPECT_FALSE(attribute(a, "z"));
}

TEST(Xml, EntitiesAndWritingBack) {
  const Xml document = parse_xml("<a t='&lt;&amp;&quot;&#65;&#x42;'>1 &gt; 0</a>", "f");
  const Xml& a = xml_root(document, "a", "f");
  EXPECT_EQ(attribute(a, "t"), "<&\"AB");
  EXPECT_EQ(a.data(), "1 > 0");
  const Xml again = parse_xml(write_xml(document), "again");
  EXPECT_EQ(attribute(xml_root(again, "a", "again"), "t"), "<&\"AB");
  EXPECT_EQ(xml_root(again, "a", "again").data(), "1 > 0");
}

TEST(Xml, BadTextIsRefusedWithItsLine) {
  const auto refuse = [](const std::string& text, const std::string& needle) {
    try {
      parse_xml(text, "f.xml");
      ADD_FAILURE() << text << " was read";
    } catch (const InvalidInput& e) {
      EXPECT_NE(std::string(e.what()).find(needle), std::string::npos) << e.what();
    }
  };
  refuse(" \n", "empty");
  refuse("<a>\n<b></a>", "line 2");
  refuse("<a>\n", "not closed");
  refuse("<a b=1/>", "quotes");
  refuse("<a b='1' b='2'/>", "twice");
  refuse("<a>&unknown;</a>", "&unknown;");
  refuse("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "declarations");
  refuse("text", "no element");
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  refuse(deep, "deep");
}

}  // namespace
}  // namespace stiction
